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

/// Codes the priority of an item: its number in files, and its level where it is shown. Either is read.
struct PriorityCodec: FieldCodec {
  private static let level = WordCodec(ItemPriority.Level.self, \.rawValue)

  var shape: FieldShape { Self.level.shape }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> ItemPriority {
    guard value.kind == .number else { return ItemPriority(try Self.level.read(value, field, reader)) }
    let number = try NumberCodec<Int64>(range: 1...9).read(value, field, reader)
    return ItemPriority(number: number) ?? ItemPriority(.low)
  }

  func write(_ value: ItemPriority, _ key: FieldKey, _ output: any RecordOutput) throws {
    if output.isShowing { try Self.level.write(value.level, key, output) } else { output.write(key, value.number) }
  }
}

extension FieldCodec where Self == PriorityCodec {
  static var priority: PriorityCodec { PriorityCodec() }
}
