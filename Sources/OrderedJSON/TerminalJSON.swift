/// JSON for terminals: the same document without control characters.
public enum TerminalJSON {
  /// A document in UTF-8 with DEL, the controls U+0080 to U+009F and directional characters escaped.
  ///
  /// JSON has none of them outside of strings (RFC 8259, section 2), so each can be escaped.
  public static func escaped(_ document: [UInt8]) -> [UInt8] {
    guard document.contains(where: { $0 >= 0x7F }) else { return document }
    return Array(escaped(String(decoding: document, as: UTF8.self)).utf8)
  }

  /// A document as text, with the same characters escaped.
  public static func escaped(_ document: String) -> String {
    guard document.utf8.contains(where: { $0 >= 0x7F }) else { return document }
    var text = String.UnicodeScalarView()
    for scalar in document.unicodeScalars {
      if steersTerminal(scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let padding = String(repeating: "0", count: 4 - digits.utf8.count)
        text.append(contentsOf: "\\u\(padding)\(digits)".unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }

  private static func steersTerminal(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
