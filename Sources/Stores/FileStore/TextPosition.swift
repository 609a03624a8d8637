/// Converts byte offsets to lines and columns.
package enum TextPosition {
  /// The line and column of a byte in UTF-8 text, each from 1, as a suffix to a path: `:12:3`. LF, CR LF and CR end a
  /// line; columns count Unicode scalars.
  package static func position(of offset: Int, in bytes: [UInt8]) -> String {
    var line = 1
    var column = 1
    for index in 0..<min(offset, bytes.count) {
      let byte = bytes[index]
      let isHalfOfCRLF = byte == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A
      if byte == 0x0A || (byte == 0x0D && !isHalfOfCRLF) {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return ":\(line):\(column)"
  }
}
