extension String {
  /// The text, cut between two characters to at most `limit` UTF-8 bytes, with `…` at the cut.
  package func bounded(toBytes limit: Int) -> String {
    utf8.count <= limit ? self : bounded(to: limit) { $0.utf8.count }
  }

  /// The text, cut between two characters to at most `limit` UTF-16 code units, with `…` at the cut.
  package func bounded(toUTF16 limit: Int) -> String { bounded(to: limit) { $0.utf16.count } }

  /// The text, cut between two characters so that their costs add up to at most `limit`, with `…` at the cut.
  package func bounded(to limit: Int, cost: (Character) -> Int) -> String {
    // The end of the longest prefix within the limit, and of the longest that leaves room for the mark.
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

  /// The text on one line, as in a header field or title: each run of white space and control characters becomes one
  /// space, and none remains at the ends.
  package func onOneLine() -> String {
    // Most texts need no change.
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

extension Character {
  /// The most bytes that it takes in a string of JSON, its escapes among them.
  package var costInJSON: Int {
    utf8.reduce(0) { sum, byte in
      switch byte {
      case 0x0a, 0x22, 0x5c: sum + 2
      case ..<0x20: sum + 6
      default: sum + 1
      }
    }
  }
}
