/// Finds the names that a misspelt one may mean.
package enum NearestNames {
  /// The names most similar to `word`, best first, at most `limit`.
  package static func nearest(to word: String, among names: [String], limit: Int) -> [String] {
    let wanted = normalized(word.utf8)
    let tolerance = max(1, wanted.count / 3)
    var found: [(distance: Int, name: String)] = []
    for name in names {
      let whole = normalized(name.utf8)
      let city = whole.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? whole
      let candidates = whole == city ? [whole] : [whole, city]
      let best = candidates.compactMap { distance(wanted, $0, atMost: tolerance) }.min()
      if let best { found.append((best, name)) }
    }
    found.sort { ($0.distance, $0.name) < ($1.distance, $1.name) }
    let best = found.first?.distance ?? 0
    return found.prefix { $0.distance <= best + 1 }.prefix(limit).map(\.name)
  }

  private static func normalized(_ text: some Sequence<UInt8>) -> [UInt8] {
    text.map { isLetter($0) ? $0 | 0x20 : $0 == UInt8(ascii: " ") ? UInt8(ascii: "_") : $0 }
  }

  /// The optimal string alignment distance: the number of letters to insert, remove, replace or swap with their
  /// neighbour; `nil` if it is more than `limit`.
  static func distance(_ lhs: [UInt8], _ rhs: [UInt8], atMost limit: Int) -> Int? {
    guard abs(lhs.count - rhs.count) <= limit else { return nil }
    guard !lhs.isEmpty, !rhs.isEmpty else { return max(lhs.count, rhs.count) }
    var beforePrevious = [Int](repeating: 0, count: rhs.count + 1)
    var previous = Array(0...rhs.count)
    var current = beforePrevious
    for row in 1...lhs.count {
      current[0] = row
      var least = row
      for column in 1...rhs.count {
        let isSame = lhs[row - 1] == rhs[column - 1]
        var cost = min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, lhs[row - 1] == rhs[column - 2], lhs[row - 2] == rhs[column - 1] {
          cost = min(cost, beforePrevious[column - 2] + 1)
        }
        current[column] = cost
        least = min(least, cost)
      }
      // No later row can cost less: a swap starts from the row before this one, but adds 1.
      if least > limit { return nil }
      (beforePrevious, previous, current) = (previous, current, beforePrevious)
    }
    return previous[rhs.count] <= limit ? previous[rhs.count] : nil
  }
}
