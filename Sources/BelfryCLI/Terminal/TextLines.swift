extension String {
  /// The lines of a text, whether LF or CR LF ends them: by bytes, since CR LF is one Character and no `\n`.
  var linesOfAnyEnd: [Substring] {
    utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }
  }
}
