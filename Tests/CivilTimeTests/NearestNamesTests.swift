import BelfryTestKit
import Testing
@testable import CivilTime

@Suite struct NearestNamesTests {
  /// The distance by its definition, without shortcuts.
  private static func plainDistance(_ lhs: [UInt8], _ rhs: [UInt8]) -> Int {
    var table = [[Int]](repeating: Array(0...rhs.count), count: lhs.count + 1)
    for row in 0...lhs.count {
      for column in 0...rhs.count {
        guard row > 0, column > 0 else {
          table[row][column] = max(row, column)
          continue
        }
        let isSame = lhs[row - 1] == rhs[column - 1]
        table[row][column] = min(
          table[row - 1][column] + 1, table[row][column - 1] + 1, table[row - 1][column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, lhs[row - 1] == rhs[column - 2], lhs[row - 2] == rhs[column - 1] {
          table[row][column] = min(table[row][column], table[row - 2][column - 2] + 1)
        }
      }
    }
    return table[lhs.count][rhs.count]
  }

  @Test("the distance is the one of the definition, or nil beyond the limit")
  func distance() {
    var random = SeededGenerator(seed: 15)
    for _ in 0..<5_000 {
      let words = (0..<2).map { _ in
        (0..<Int.random(in: 0...8, using: &random)).map { _ in UInt8.random(in: 97...99, using: &random) }
      }
      let expected = Self.plainDistance(words[0], words[1])
      for limit in 0...8 {
        let found = NearestNames.distance(words[0], words[1], atMost: limit)
        #expect(found == (expected <= limit ? expected : nil))
      }
    }
  }

  @Test("the nearest names come first, those much farther off not at all")
  func order() {
    let names = ["Groceries", "Grocery", "Work", "Words", "World"]
    #expect(NearestNames.nearest(to: "worl", among: names, limit: 3) == ["Work", "World"])
    #expect(NearestNames.nearest(to: "Grocerise", among: names, limit: 3) == ["Groceries"])
    #expect(NearestNames.nearest(to: "Xylophone", among: names, limit: 3) == [])
  }
}
