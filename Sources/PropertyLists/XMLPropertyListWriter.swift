import FoundationEssentials
import Glibc

/// The error of a value that a format cannot hold.
public struct PropertyListWriteError: Error, Hashable, Sendable {
  /// The reason, as part of a sentence.
  public let message: String
}

/// Writes property lists in XML.
///
/// Text is escaped so that every reader restores it byte for byte: a CR is written as a reference, since XML turns a
/// bare one into an LF (XML 1.0 section 2.11). So is an LF, so that a value is on one line.
public enum XMLPropertyList {
  /// The text before the value of every file.
  public static let prolog = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">

    """

  /// Appends the escaped text of an element.
  ///
  /// - Throws: `PropertyListWriteError` for a character that XML forbids (XML 1.0 section 2.2).
  public static func append(text: String, to bytes: inout [UInt8]) throws(PropertyListWriteError) {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x80 && $0 != 0x26 && $0 != 0x3C && $0 != 0x3E }) {
      bytes.append(contentsOf: text.utf8)
      return
    }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
      case 0x0A: bytes.append(contentsOf: "&#10;".utf8)
      case 0x0D: bytes.append(contentsOf: "&#13;".utf8)
      case 0x09, 0x20...: bytes.append(byte)
      default: throw forbidden(UInt32(byte))
      }
    }
    // U+FFFE and U+FFFF, which XML also forbids, start with this byte.
    guard text.utf8.contains(0xEF) else { return }
    for scalar in text.unicodeScalars where !XMLScanning.isAllowed(scalar) { throw forbidden(scalar.value) }
  }

  /// Appends a value without white space between its elements.
  ///
  /// - Throws: `PropertyListWriteError` for a forbidden character, or a date outside the years 1 to 9999.
  public static func append(_ value: PropertyList, to bytes: inout [UInt8]) throws(PropertyListWriteError) {
    switch value {
    case .string(let text): try element("string", text, to: &bytes)
    case .integer(let number): try element("integer", "\(number)", to: &bytes)
    case .largeInteger(let number): try element("integer", "\(number)", to: &bytes)
    case .real(let number): try element("real", "\(number)", to: &bytes)
    case .bool(let isTrue): bytes.append(contentsOf: (isTrue ? "<true/>" : "<false/>").utf8)
    case .date(let date): try element("date", try text(of: date), to: &bytes)
    case .data(let content): try element("data", Data(content).base64EncodedString(), to: &bytes)
    case .array(let elements):
      bytes.append(contentsOf: "<array>".utf8)
      for element in elements { try append(element, to: &bytes) }
      bytes.append(contentsOf: "</array>".utf8)
    case .dictionary(let dictionary):
      bytes.append(contentsOf: "<dict>".utf8)
      for entry in dictionary.entries {
        try element("key", entry.key, to: &bytes)
        try append(entry.value, to: &bytes)
      }
      bytes.append(contentsOf: "</dict>".utf8)
    case .uid(let number):
      bytes.append(contentsOf: "<dict><key>CF$UID</key><integer>\(number)</integer></dict>".utf8)
    }
  }

  private static func element(
    _ name: String, _ text: String, to bytes: inout [UInt8]
  ) throws(PropertyListWriteError) {
    bytes.append(contentsOf: "<\(name)>".utf8)
    try append(text: text, to: &bytes)
    bytes.append(contentsOf: "</\(name)>".utf8)
  }

  // XML has whole seconds, so the fraction is dropped.
  private static func text(of date: Date) throws(PropertyListWriteError) -> String {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    guard seconds.isFinite, -62_135_596_800..<253_402_300_800 ~= seconds else {
      throw PropertyListWriteError(message: "a date is not within the years 1 to 9999")
    }
    var left = time_t(seconds)
    var parts = tm()
    gmtime_r(&left, &parts)
    return padded(Int(parts.tm_year) + 1900, 4) + "-" + padded(Int(parts.tm_mon) + 1, 2) + "-"
      + padded(Int(parts.tm_mday), 2) + "T" + padded(Int(parts.tm_hour), 2) + ":" + padded(Int(parts.tm_min), 2) + ":"
      + padded(Int(parts.tm_sec), 2) + "Z"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  private static func forbidden(_ character: UInt32) -> PropertyListWriteError {
    PropertyListWriteError(message: "XML text must not hold the character \(XMLScanning.codePoint(character))")
  }
}
