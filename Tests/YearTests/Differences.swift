/// The lines of two lists that the other list lacks, with repeats counted.
struct Differences: CustomStringConvertible {
  private static let shown = 12
  private let missing: [String]
  private let surplus: [String]

  init(expected: [String], found: [String]) {
    missing = Self.rest(of: expected, without: found)
    surplus = Self.rest(of: found, without: expected)
  }

  var isEmpty: Bool { missing.isEmpty && surplus.isEmpty }

  /// The earliest differences, each with the lines of both lists about the same owner around that time.
  var description: String {
    let lines = missing.map { ($0, "- ") } + surplus.map { ($0, "+ ") }
    let first = lines.sorted { $0.0 < $1.0 }.prefix(Self.shown).map { $0.1 + $0.0 }
    return "\(missing.count) missing (-), \(surplus.count) too many (+), first:\n" + first.joined(separator: "\n")
  }

  private static func rest(of lines: [String], without others: [String]) -> [String] {
    var counts: [String: Int] = [:]
    for other in others { counts[other, default: 0] += 1 }
    return lines.filter { line in
      guard let count = counts[line], count > 0 else { return true }
      counts[line] = count - 1
      return false
    }
  }
}
