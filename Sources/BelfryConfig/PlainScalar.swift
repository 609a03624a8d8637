import CivilTime
import ConfigKeys

/// The type of a scalar without quotes.
///
/// Null and numbers follow the YAML 1.2 core schema (chapter 10.3), truth values also YAML 1.1, which other programs
/// accept. Scalars that only YAML 1.1 reads as another type (`22:30` as 1350, `2026-12-24` as a date) are text.
enum PlainScalar {
  /// The content of a scalar with these characters.
  static func content(_ text: String) -> ConfigNode.Content {
    if text.utf8.count <= 5, let word = word(text) { return word }
    return .scalar(ConfigScalar(text, kind: isNumber(text.utf8) ? .number : .text))
  }

  private static func word(_ text: String) -> ConfigNode.Content? {
    switch text {
    case "", "~", "null", "Null", "NULL": .null
    case "true", "True", "TRUE", "false", "False", "FALSE", "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON",
      "off", "Off", "OFF":
      .scalar(ConfigScalar(text, kind: .boolean))
    default: nil
    }
  }

  private static func isNumber(_ text: String.UTF8View) -> Bool {
    guard let first = text.first, isDigit(first) || "+-.".utf8.contains(first) else { return false }
    if text.starts(with: "0x".utf8) { return text.count > 2 && text.dropFirst(2).allSatisfy(isHexDigit) }
    if text.starts(with: "0o".utf8) { return text.count > 2 && text.dropFirst(2).allSatisfy(isOctalDigit) }
    let isSigned = first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
    let rest = isSigned ? text.dropFirst() : text[...]
    return isDecimal(rest) || [".inf", ".Inf", ".INF"].contains { rest.elementsEqual($0.utf8) }
      || [".nan", ".NaN", ".NAN"].contains { text.elementsEqual($0.utf8) }
  }

  /// True if a text is `[0-9]+(\.[0-9]*)?` or `\.[0-9]+`, with an exponent or without.
  private static func isDecimal(_ text: Substring.UTF8View) -> Bool {
    let whole = text.prefix(while: isDigit)
    var rest = text.dropFirst(whole.count)
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix(while: isDigit)
      guard !whole.isEmpty || !fraction.isEmpty else { return false }
      rest = rest.dropFirst(1 + fraction.count)
    } else if whole.isEmpty {
      return false
    }
    guard let mark = rest.popFirst() else { return true }
    guard mark | 0x20 == UInt8(ascii: "e") else { return false }
    if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    return !rest.isEmpty && rest.allSatisfy(isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func isOctalDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(byte) }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }
}
