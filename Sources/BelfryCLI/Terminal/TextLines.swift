extension String {
  /// The lines of a text, ended by LF or CR LF; split by bytes, since CR LF is one Character, unequal to `\n`.
  var linesOfAnyEnd: [Substring] {
    utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }
  }
}
