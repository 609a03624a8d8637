/// The priority of an item: a number from 1, the highest, to 9 (PRIORITY of RFC 5545, section 3.8.1.9).
public struct ItemPriority: Hashable, Sendable {
  /// The levels that people choose from.
  public enum Level: String, Hashable, Sendable, CaseIterable {
    case high, medium, low

    /// The numbers of the level.
    package var numbers: ClosedRange<Int64> {
      switch self {
      case .high: 1...4
      case .medium: 5...5
      case .low: 6...9
      }
    }
  }

  /// 1, the highest, to 9.
  public let number: Int64

  /// The priority of a number; `nil` for one that is not from 1 to 9.
  public init?(number: Int64) {
    guard 1...9 ~= number else { return nil }
    self.number = number
  }

  /// The priority of a level as most programs write it: 1, 5 or 9.
  public init(_ level: Level) {
    number =
      switch level {
      case .high: 1
      case .medium: 5
      case .low: 9
      }
  }

  /// The level of its number.
  public var level: Level { number < 5 ? .high : number > 5 ? .low : .medium }
}
