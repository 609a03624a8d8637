import ByteOutput

extension JSONValue {
  /// The document as text (RFC 8259), members in order, without a line end.
  ///
  /// Only quotation marks, backslashes and control characters are escaped. Numbers are in the shortest form that parses
  /// to the same value; a `number` has a fraction or an exponent, so that it does not become an `integer`.
  /// - Parameter pretty: puts each member and element on its own line, indented by two spaces a level; otherwise there
  ///   is no white space.
  public func serialized(pretty: Bool = false) -> String {
    var bytes: [UInt8] = []
    write(into: &bytes, pretty: pretty)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the document in UTF-8, as `serialized(pretty:)` gives it.
  public func write(into output: inout [UInt8], pretty: Bool = false) {
    let layout = JSONLayout(pretty: pretty)
    output.append(atMost: layout.room(for: self)) { $0.write(self, layout) }
  }
}

extension JSONObject.Member {
  /// Appends the key, a colon and the value in UTF-8, without white space.
  public func write(into output: inout [UInt8]) {
    let layout = JSONLayout(pretty: false)
    output.append(atMost: layout.room(for: self)) { $0.write(self, layout) }
  }
}

/// The layout of a value at its depth, and an upper bound of its bytes, so that memory is reserved once.
struct JSONLayout {
  let pretty: Bool
  private var level = 0

  init(pretty: Bool) { self.pretty = pretty }

  /// The layout of the elements inside.
  var inside: JSONLayout {
    var inside = self
    inside.level += 1
    return inside
  }

  /// The spaces before a line.
  var indent: Int { 2 * level }

  func room(for value: JSONValue) -> Int {
    switch value {
    case .null, .bool: 5
    case .integer, .number: Self.roomForNumber
    case .string(let text): Self.room(for: text)
    case .array(let elements): room(for: elements) { layout, element in layout.room(for: element) }
    case .object(let object): room(for: object.members) { layout, member in layout.room(for: member) }
    }
  }

  func room(for member: JSONObject.Member) -> Int { Self.room(for: member.key) + 2 + room(for: member.value) }

  /// The longest are -9223372036854775808 and -2.2250738585072014e-308.
  static let roomForNumber = 24

  static func room(for text: String) -> Int { ByteOutput.room(quoted: text) }

  @inline(__always)
  private func room<Part>(for parts: [Part], each: (JSONLayout, Part) -> Int) -> Int {
    let inside = inside
    let line = pretty ? inside.indent + 2 : 1
    return parts.reduce(3 + indent) { room, part in room + line + each(inside, part) }
  }
}

extension ByteOutput {
  fileprivate mutating func write(_ value: JSONValue, _ layout: JSONLayout) {
    switch value {
    case .null: write("null" as StaticString)
    case .bool(let value): write(value ? "true" : "false" as StaticString)
    case .integer(let value): write(value)
    case .number(let value): append(text: value.isFinite ? value.description : "null")
    case .string(let value): write(quoted: value)
    case .array(let elements):
      write(elements, layout, between: UInt8(ascii: "["), and: UInt8(ascii: "]")) { output, element, layout in
        output.write(element, layout)
      }
    case .object(let object):
      write(object.members, layout, between: UInt8(ascii: "{"), and: UInt8(ascii: "}")) { output, member, layout in
        output.write(member, layout)
      }
    }
  }

  fileprivate mutating func write(_ member: JSONObject.Member, _ layout: JSONLayout) {
    write(quoted: member.key)
    append(UInt8(ascii: ":"))
    if layout.pretty { append(UInt8(ascii: " ")) }
    write(member.value, layout)
  }

  @inline(__always)
  private mutating func write<Part>(
    _ parts: [Part], _ layout: JSONLayout, between opening: UInt8, and closing: UInt8,
    each: (inout ByteOutput, Part, JSONLayout) -> Void
  ) {
    let inside = layout.inside
    append(opening)
    var isFirst = true
    for part in parts {
      if !isFirst { append(UInt8(ascii: ",")) }
      isFirst = false
      startLine(inside)
      each(&self, part, inside)
    }
    if !isFirst { startLine(layout) }
    append(closing)
  }

  @inline(__always)
  private mutating func startLine(_ layout: JSONLayout) {
    guard layout.pretty else { return }
    append(UInt8(ascii: "\n"))
    append(repeating: UInt8(ascii: " "), count: layout.indent)
  }

  mutating func write(_ literal: StaticString) {
    append(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// Writes a whole number, in at most 20 bytes.
  package mutating func write(_ integer: Int64) {
    guard integer >= 0 else { return append(text: integer.description) }
    appendPadded(Int(integer), 1)
  }

  /// The most bytes that a string takes: six for a control character.
  package static func room(quoted text: String) -> Int { 6 * text.utf8.count + 2 }

  /// Writes a string (section 7): runs of plain bytes with escapes in between.
  package mutating func write(quoted text: String) {
    var text = text
    append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      var start = 0
      while let special = JSONScanning.firstSpecial(in: utf8, from: start) {
        append(UnsafeBufferPointer(rebasing: utf8[start..<special]))
        write(escaped: utf8[special])
        start = special + 1
      }
      append(UnsafeBufferPointer(rebasing: utf8[start...]))
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func write(escaped byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0D: append(UInt8(ascii: "r"))
    case 0x22, 0x5C: append(byte)
    default: append(text: "u" + JSONQuotation.fourHexDigits(byte))
    }
  }
}

/// Quotes texts in error messages.
enum JSONQuotation {
  /// A string as JSON, cut after 60 characters and safe for a terminal.
  static func quotation(of text: String) -> String {
    let start = String(text.prefix(60))
    return JSONValue.string(start.utf8.count < text.utf8.count ? start + "…" : start).serialized()
  }

  /// The name of a control character, as `U+0000`.
  static func codePoint(_ byte: UInt8) -> String { "U+" + fourHexDigits(byte) }

  fileprivate static func fourHexDigits(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
