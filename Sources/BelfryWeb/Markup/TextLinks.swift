extension HTML {
  /// Adds a text in which URLs, mail addresses and phone numbers are links.
  mutating func linked(_ text: String) {
    for piece in TextLinks.pieces(text) {
      switch piece {
      case .words(let words): add(String(words))
      case .link(let words, let target):
        // No line break follows the link, unlike other elements, since notes show line breaks.
        open("a", ["href": target, "rel": "noreferrer noopener", "dir": "ltr"])
        add(String(words))
        markup("</a>")
      }
    }
  }
}

/// Finds the links in a text.
enum TextLinks {
  /// A part of a text.
  enum Piece: Equatable {
    case words(Substring)
    /// The words of a link, and its target.
    case link(Substring, String)
  }

  private static let phoneSigns: Set<Character> = ["+", " ", "-", "/", "(", ")", ".", "\u{a0}"]
  // The longest number of ITU-T E.164, and the shortest that is hardly anything else.
  private static let phoneDigits = 7...15

  /// The text in pieces, which joined are the text again. Takes linear time for any text.
  static func pieces(_ text: String) -> [Piece] {
    var (pieces, start, place) = ([Piece](), text.startIndex, text.startIndex)
    var (previous, noMailBefore) = (Character?.none, text.startIndex)
    while place < text.endIndex {
      let (rest, isStart) = (text[place...], previous?.isWordLike != true)
      guard isStart, let (end, target) = link(rest, &noMailBefore) else {
        // No link begins within a number that is not a phone number.
        let isNumber = isStart && (text[place].isNumber || text[place] == "+")
        let passed = isNumber ? rest.prefix { $0.isNumber || phoneSigns.contains($0) } : rest.prefix(1)
        (place, previous) = (passed.endIndex, passed.last)
        continue
      }
      if start < place { pieces.append(.words(text[start..<place])) }
      pieces.append(.link(text[place..<end], target))
      (start, place, previous) = (end, end, text[..<end].last)
    }
    if start < text.endIndex { pieces.append(.words(text[start...])) }
    return pieces
  }

  private static func link(
    _ rest: Substring, _ noMailBefore: inout String.Index
  ) -> (end: String.Index, target: String)? {
    guard let first = rest.first else { return nil }
    if first == "h" || first == "H", let end = url(rest) { return (end, String(rest[..<end])) }
    if first.isWordLike, !first.isNumber, let end = mail(rest, &noMailBefore) {
      return (end, "mailto:\(rest[..<end])")
    }
    if first == "+" || first == "0" { return phone(rest) }
    return nil
  }

  private static func url(_ rest: Substring) -> String.Index? {
    let scheme = ["https://", "http://"].first { rest.prefix($0.count).lowercased() == $0 }
    guard let scheme else { return nil }
    let word = rest.prefix { !$0.isWhitespace && !"<>\"".contains($0) }
    // Punctuation at the end of a sentence, and a bracket that was opened before the URL, do not belong to the URL.
    let hasOpening = word.contains("(")
    var end = word.endIndex
    while end > word.startIndex {
      let last = word[word.index(before: end)]
      guard last == ")" && !hasOpening || ".,;:!?'".contains(last) else { break }
      end = word.index(before: end)
    }
    return word[..<end].count > scheme.count ? end : nil
  }

  private static func mail(_ rest: Substring, _ noneBefore: inout String.Index) -> String.Index? {
    guard rest.startIndex >= noneBefore else { return nil }
    let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    // A name that begins later within this one ends at the same place, so it need not be checked again.
    noneBefore = name.endIndex
    let after = rest[name.endIndex...]
    guard after.first == "@", !name.isEmpty else { return nil }
    var host = after.dropFirst().prefix { $0.isASCII && ($0.isLetter || $0.isNumber || ".-".contains($0)) }
    host = host.lastIndex { $0 != "." && $0 != "-" }.map { host[...$0] } ?? host.prefix(0)
    return host.contains(".") && host.first != "." ? host.endIndex : nil
  }

  private static func phone(_ rest: Substring) -> (end: String.Index, target: String)? {
    var number = rest.prefix { $0.isASCII && $0.isNumber || phoneSigns.contains($0) }
    // One step, since `dropLast` for each sign would take quadratic time.
    number = number.lastIndex { $0.isNumber }.map { number[...$0] } ?? number.prefix(0)
    let digits = number.filter { $0.isNumber }
    // `00:30` and `0.5` are not phone numbers, nor is a number within a word.
    guard phoneDigits.contains(digits.count), !(rest[number.endIndex...].first?.isWordLike ?? false) else { return nil }
    return (number.endIndex, "tel:\(number.first == "+" ? "+" : "")\(digits)")
  }
}

extension Character {
  /// True for a character of a word, after which no link begins.
  fileprivate var isWordLike: Bool { isLetter || isNumber || self == "_" || self == "@" }
}
