import FoundationEssentials

/// The data for undoing the last change of a store. A store keeps one and does not interpret it.
///
/// Best effort: a store may lose it in a crash, and its reader checks that it still applies.
public struct UndoRecord: Hashable, Sendable {
  /// The time of the change, in whole seconds.
  public let date: Date
  /// The data, in a format of its writer.
  public let content: String

  /// A record with all its fields.
  public init(date: Date, content: String) {
    self.date = date
    self.content = content
  }
}
