import BelfryModel
import FoundationEssentials
import OrderedJSON

/// A test of a message's buttons over the web face, which is another program. The store holds which message waits for
/// a press, its buttons, and the button that was pressed; nothing else of the message is kept.
package struct LinkTest: Sendable {
  /// The seconds between two polls.
  private static let pause = 0.5
  // No sink has a name that begins with a space.
  private static let place = " test"

  private let belfry: Belfry
  private let reminder: UUID

  /// The test of a message about a reminder.
  package init(of reminder: UUID, _ belfry: Belfry) { (self.reminder, self.belfry) = (reminder, belfry) }

  /// A button of the test.
  package struct Button: Hashable, Sendable {
    /// The number of its action in the message, from 1.
    package let action: Int
    package let title: String
  }

  /// Lets the web face take a press from now on.
  ///
  /// - Parameter actions: the actions of the message.
  /// - Throws: what the store throws.
  package func begin(_ actions: [OfferedAction]) throws {
    try keep([
      "reminder": .string(reminder.text),
      "buttons": .array(actions.map { $0.isCarriedOutByToken ? .string($0.title) : .null }),
    ])
  }

  /// The buttons of the test; `nil` if its message waits for no press.
  ///
  /// - Throws: what the store throws.
  package func buttons() throws -> [Button]? { try kept().map(Self.buttons) }

  /// Takes a press of an action, if its message waits for one.
  ///
  /// - Returns: the button; `nil` if it does not wait, or has no such button.
  /// - Throws: what the store throws.
  package func take(_ action: Int) throws -> Button? {
    guard var kept = try kept(), let button = Self.buttons(of: kept).first(where: { $0.action == action }) else {
      return nil
    }
    kept["pressed"] = .integer(Int64(action))
    try keep(kept)
    return button
  }

  /// Waits for a press. When the wait is over, no press is taken any more.
  ///
  /// - Parameter patience: the seconds to wait.
  /// - Returns: the number of the action, from 1; `nil` if none was pressed in time.
  /// - Throws: what the store throws.
  package func pressed(within patience: Double, _ waits: any TaskWaits) async throws -> Int? {
    let end = belfry.time.now.addingTimeInterval(patience)
    while !Task.isCancelled, belfry.time.now < end {
      if let action = try kept()?["pressed"]?.integerValue { return Int(action) }
      await waits.until(belfry.time.now.addingTimeInterval(Self.pause))
    }
    if try kept() != nil { try keep([:]) }
    return nil
  }

  private static func buttons(of kept: JSONObject) -> [Button] {
    let titles = kept["buttons"]?.arrayValue ?? []
    return titles.enumerated().compactMap { place, title in
      title.stringValue.map { Button(action: place + 1, title: $0) }
    }
  }

  // nil if another message waits, or none.
  private func kept() throws -> JSONObject? {
    let position = try belfry.store.read { try $0.inbox(ofSink: Self.place) }?.position
    let kept = position.flatMap { try? JSONValue(parsing: Array($0.utf8)) }?.objectValue
    return kept?["reminder"]?.stringValue == reminder.text ? kept : nil
  }

  private func keep(_ kept: JSONObject) throws {
    let inbox = SinkInbox(
      sink: Self.place, position: JSONValue.object(kept).serialized(), changedAt: belfry.time.now.wholeSeconds)
    try belfry.store.write { try $0.put(inbox) }
  }
}
