import FoundationEssentials

/// The data for undoing or redoing a change of a store, which does not interpret it.
///
/// Best effort: a store may lose it in a crash, and its reader checks that it still applies.
public struct UndoRecord: Hashable, Sendable {
  /// The effect of applying a record.
  public enum Direction: Hashable, Sendable, CaseIterable {
    /// A change is undone.
    case undo
    /// A change that was undone is made again.
    case redo

    /// The direction that reverses this one.
    package var opposite: Direction { self == .undo ? .redo : .undo }
  }

  /// The number of records that a store keeps, of both directions together.
  public static let mostKept = 20

  /// The time of the change, in whole seconds.
  public let date: Date
  /// The data, in a format of its writer.
  public let content: String
  /// The effect of applying it.
  public let direction: Direction

  /// A record with all its fields.
  public init(date: Date, content: String, direction: Direction = .undo) {
    self.date = date
    self.content = content
    self.direction = direction
  }
}
