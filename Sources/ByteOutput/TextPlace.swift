/// A place in UTF-8 text, as people count it.
package struct TextPlace: Sendable {
  /// The line, from 1; LF, CR LF and CR end a line.
  package let line: Int
  /// The place in the line, from 1, counted in Unicode scalars.
  package let column: Int

  /// The place of a byte.
  ///
  /// - Parameter start: the first byte that counts, after a byte order mark.
  package init(of offset: Int, in bytes: UnsafeRawBufferPointer, from start: Int = 0) {
    let (newline, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    var (line, column) = (1, 1)
    for index in start..<max(start, min(offset, bytes.count)) {
      let byte = bytes[index]
      let isHalfOfCRLF = byte == carriageReturn && index + 1 < bytes.count && bytes[index + 1] == newline
      if byte == newline || (byte == carriageReturn && !isHalfOfCRLF) {
        (line, column) = (line + 1, 1)
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    (self.line, self.column) = (line, column)
  }

  /// The place as a suffix to a path: `:12:3`.
  package var suffix: String { ":\(line):\(column)" }
}
