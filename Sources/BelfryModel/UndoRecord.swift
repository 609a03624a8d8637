import FoundationEssentials

/// How to take back the last change of a store. A store keeps one and knows nothing of what it says.
///
/// It is a help, not a promise: a store may lose it in a crash, and whoever uses it checks that what it says still holds.
public struct UndoRecord: Hashable, Sendable {
  /// When the change was made, in whole seconds.
  public let date: Date
  /// What undoes it, in the words of the one who keeps it.
  public let content: String

  /// A record with all its fields.
  public init(date: Date, content: String) {
    self.date = date
    self.content = content
  }
}
