extension String {
  /// The text, cut between two characters where it has more than so many bytes in UTF-8, with `…` at the cut.
  public func bounded(toBytes limit: Int) -> String {
    utf8.count <= limit ? self : bounded(to: limit) { $0.utf8.count }
  }

  /// The text, cut between two characters where it has more than so many UTF-16 units, with `…` at the cut.
  public func bounded(toUTF16 limit: Int) -> String { bounded(to: limit) { $0.utf16.count } }

  /// The text, cut between two characters where the sum of a cost for each exceeds a limit, with `…` at the cut.
  public func bounded(to limit: Int, cost: (Character) -> Int) -> String {
    // The end of what fits, and of what fits with the mark behind it.
    let room = limit - cost("…")
    var sum = 0
    var cut = startIndex
    for index in indices {
      sum += cost(self[index])
      guard sum <= limit else { return self[..<cut] + "…" }
      if sum <= room { cut = self.index(after: index) }
    }
    return self
  }

  /// The text as a header or title shows it: on one line, every run of control characters and line ends one space, no
  /// white space at its ends.
  public func onOneLine() -> String {
    // As most are.
    let isPlain = utf8.first != 0x20 && utf8.last != 0x20 && utf8.allSatisfy { (0x20...0x7E).contains($0) }
    guard !isPlain else { return self }
    var line = String.UnicodeScalarView()
    var isBreak = false
    for scalar in unicodeScalars {
      let wasBreak = isBreak
      isBreak = [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
      if isBreak, wasBreak { continue }
      line.append(isBreak ? " " : scalar)
    }
    guard let start = line.firstIndex(where: { $0 != " " }), let end = line.lastIndex(where: { $0 != " " }) else {
      return ""
    }
    return String(line[start...end])
  }
}
