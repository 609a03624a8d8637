/// Markup in which every text that is added is shown as it is: its special characters are escaped.
struct HTML {
  /// The markup, in UTF-8.
  private(set) var bytes: [UInt8] = []
  /// The places of the live parts, by id.
  private(set) var parts: [String: Range<Int>] = [:]

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Adds a text, in which the special characters of markup are escaped.
  mutating func add(_ words: String) {
    var words = words
    words.withUTF8 { words in
      // Runs that need no escaping are copied in one piece.
      var start = 0
      for (index, byte) in words.enumerated() {
        guard let reference = Self.reference(byte) else { continue }
        bytes += words[start..<index]
        reference.withUTF8Buffer { bytes += $0 }
        start = index + 1
      }
      bytes += words[start...]
    }
  }

  private static func reference(_ byte: UInt8) -> StaticString? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    default: nil
    }
  }

  /// Adds markup as it is; a literal contains nothing that a user typed.
  mutating func markup(_ markup: StaticString) { markup.withUTF8Buffer { bytes += $0 } }

  /// Adds a number, which needs no escaping.
  mutating func add(_ number: Int64) { add(String(number)) }

  /// An element with its content.
  mutating func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:], _ make: (inout HTML) -> Void
  ) {
    open(name, attributes)
    make(&self)
    markup("</")
    markup(name)
    markup(">\n")
  }

  /// An element with a text.
  mutating func element(
    _ name: StaticString, _ words: String, _ attributes: KeyValuePairs<StaticString, String> = [:]
  ) {
    element(name, attributes) { $0.add(words) }
  }

  /// The start of an element, or all of an empty one.
  mutating func open(_ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:]) {
    markup("<")
    markup(name)
    for (name, value) in attributes {
      markup(" ")
      markup(name)
      markup("=\"")
      add(value)
      markup("\"")
    }
    markup(">")
  }

  mutating func paragraph(_ words: String, _ attributes: KeyValuePairs<StaticString, String> = [:]) {
    element("p", words, attributes)
  }

  /// A part that a script replaces when it has changed.
  ///
  /// - Parameter id: its id, which no other element of the page has.
  mutating func live(_ id: String, _ make: (inout HTML) -> Void) {
    let start = bytes.count
    element("div", ["id": id, "data-live": ""], make)
    parts[id] = start..<bytes.count
  }

  /// A hidden field of a form.
  mutating func hidden(_ name: String, _ value: String) {
    open("input", ["type": "hidden", "name": name, "value": value])
  }

  /// A form of one button, which posts.
  ///
  /// - Parameters:
  ///   - style: the class of the button.
  ///   - fields: the hidden fields that it sends, by name.
  ///   - isWhole: true if its reply is another page, and not an update of this one.
  mutating func form(
    action: String, button: String, style: String = "plain", fields: KeyValuePairs<String, String> = [:],
    isWhole: Bool = false
  ) {
    let attributes: KeyValuePairs<StaticString, String> =
      isWhole ? ["method": "post", "action": action, "data-whole": ""] : ["method": "post", "action": action]
    element("form", attributes) { form in
      for (name, value) in fields { form.hidden(name, value) }
      form.element("button", button, ["class": style, "dir": "auto"])
    }
  }
}
