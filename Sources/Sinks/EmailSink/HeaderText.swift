import FoundationEssentials
import MessageText
import Transport

/// Encodes texts in header fields as printable ASCII (RFC 5322, RFC 2047).
enum HeaderText {
  /// The most bytes of a subject, so that its line stays below 998 characters in any encoding.
  static let longestSubject = 384
  /// The longest encoded-word: after `Subject: ` it ends at the 76th character, the limit of the line (RFC 2047,
  /// section 2).
  static let longestWord = 67
  private static let prefixes = (quoted: "=?utf-8?Q?", base64: "=?utf-8?B?")
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// A text without structure, such as a subject: unchanged if that is safe, otherwise in encoded-words.
  static func unstructured(_ text: String) -> String {
    let line = text.onOneLine().bounded(toBytes: longestSubject)
    return isPlain(line) ? line : encoded(line)
  }

  /// A mailbox: its name as atoms, in quotation marks or in encoded-words, and its address.
  static func mailbox(_ mailbox: Mailbox) -> String {
    guard let name = mailbox.name else { return mailbox.address }
    let phrase: String
    if !isPlain(name) {
      phrase = encoded(name)
    } else if name.utf8.allSatisfy({ Mailbox.isAtomCharacter($0) || $0 == 0x20 }) {
      phrase = name
    } else {
      phrase = Mailbox.quoted(name)
    }
    return "\(phrase) <\(mailbox.address)>"
  }

  // A text with `=?` could be decoded as an encoded-word.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
      && !zip(text.utf8, text.utf8.dropFirst()).contains { $0 == UInt8(ascii: "=") && $1 == UInt8(ascii: "?") }
  }

  /// Encoded-words (RFC 2047) of at most ``longestWord`` characters in the shorter of the two encodings, which split no
  /// character. Readers ignore the spaces between them.
  static func encoded(_ text: String) -> String {
    let pieces = text.unicodeScalars.map { Array(String($0).utf8) }
    let quotedSize = text.utf8.reduce(0) { $0 + quotedLength(of: $1) }
    let base64Size = (text.utf8.count + 2) / 3 * 4
    return quotedSize <= base64Size
      ? words(pieces, prefix: prefixes.quoted, length: { $0.reduce(0) { $0 + Self.quotedLength(of: $1) } }, quoted)
      : words(pieces, prefix: prefixes.base64, length: { ($0.count + 2) / 3 * 4 }) { Data($0).base64EncodedString() }
  }

  private static func words(
    _ pieces: [[UInt8]], prefix: String, length: ([UInt8]) -> Int, _ encode: ([UInt8]) -> String
  ) -> String {
    let room = longestWord - prefix.utf8.count - 2
    var words: [String] = []
    var word: [UInt8] = []
    for piece in pieces {
      if !word.isEmpty, length(word + piece) > room {
        words.append(prefix + encode(word) + "?=")
        word = []
      }
      word += piece
    }
    if !word.isEmpty { words.append(prefix + encode(word) + "?=") }
    return words.joined(separator: " ")
  }

  private static func quoted(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      switch quotedLength(of: byte) {
      case 1: text.append(byte == 0x20 ? UInt8(ascii: "_") : byte)
      default: text += [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  // Only characters that are also safe in a phrase (RFC 2047, section 5) are not encoded.
  private static func quotedLength(of byte: UInt8) -> Int {
    isAlphanumeric(byte) || byte == 0x20 || "!*+-/".utf8.contains(byte) ? 1 : 3
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
  }
}
