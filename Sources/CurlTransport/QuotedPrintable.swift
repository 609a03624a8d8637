/// Text in the encoding `quoted-printable` (RFC 2045, section 6.7).
///
/// libcurl's own encoder leaves `From ` at the start of a line, which mailbox files change to `>From `.
enum QuotedPrintable {
  /// The longest line of encoded text, in bytes without its end and the `=` of a soft line break.
  private static let longest = 75
  private static let hexadecimal = Array("0123456789ABCDEF".utf8)

  /// Encodes lines that end in CRLF.
  static func encoded(_ lines: [UInt8]) -> [UInt8] {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(lines.count + lines.count / 8)
    var column = 0
    for (index, byte) in lines.enumerated() {
      if byte == 0x0D || byte == 0x0A {
        encoded.append(byte)
        column = 0
        continue
      }
      var width = isLiteral(index, of: lines, at: column) ? 1 : 3
      if column + width > longest {
        encoded += [UInt8(ascii: "="), 0x0D, 0x0A]
        column = 0
        width = isLiteral(index, of: lines, at: column) ? 1 : 3
      }
      if width == 1 {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "="), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
      }
      column += width
    }
    return encoded
  }

  private static func isLiteral(_ index: Int, of lines: [UInt8], at column: Int) -> Bool {
    let byte = lines[index]
    switch byte {
    // White space at the end of a line may be lost in transit.
    case 0x09, 0x20: return index + 1 < lines.count && lines[index + 1] != 0x0D
    case UInt8(ascii: "="): return false
    case UInt8(ascii: "F") where column == 0: return !MailLines.startsMessage(lines[index...])
    default: return (0x21...0x7E).contains(byte)
    }
  }
}
