/// A text with the line ends of mail (RFC 5322 section 2.1): LF, CR and CRLF become CRLF, also after the last line.
struct MailLines {
  /// The longest line that a mail may have, in bytes without its end (RFC 5322 section 2.1.1).
  private static let longest = 998

  private(set) var bytes: [UInt8] = []
  /// True if a line is too long, looks like the start of another mail, or has bytes other than printable ASCII and
  /// tabs.
  private(set) var needsEncoding = false

  init(_ text: String) {
    var text = text
    bytes.reserveCapacity(text.utf8.count + text.utf8.count / 32 + 2)
    text.withUTF8 { utf8 in
      var start = 0
      while start < utf8.count {
        let end = appendLine(of: utf8, from: start)
        let isPair = end + 1 < utf8.count && utf8[end] == 0x0D && utf8[end + 1] == 0x0A
        start = end + (isPair ? 2 : 1)
      }
    }
  }

  // Returns the end of the line.
  private mutating func appendLine(of utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var end = start
    while end < utf8.count {
      let byte = utf8[end]
      if !(0x20...0x7E).contains(byte) {
        if byte == 0x0A || byte == 0x0D { break }
        if byte != 0x09 { needsEncoding = true }
      }
      end += 1
    }
    let line = UnsafeBufferPointer(rebasing: utf8[start..<end])
    if line.count > Self.longest || Self.startsMessage(line) { needsEncoding = true }
    bytes.append(contentsOf: line)
    bytes.append(0x0D)
    bytes.append(0x0A)
    return end
  }

  /// True if a line starts like the separator of mails in a mailbox file (RFC 4155).
  static func startsMessage(_ line: some Collection<UInt8>) -> Bool { line.starts(with: "From ".utf8) }
}
