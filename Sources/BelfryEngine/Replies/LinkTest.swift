import BelfryModel
import FoundationEssentials

/// The press of a button of a test message that comes back over the web face, which is another program: the store tells
/// which message waits for it, and which of its actions was pressed. Of the message itself it keeps nothing.
package struct LinkTest: Sendable {
  /// The seconds between two looks.
  private static let pause = 0.5
  // No sink has a name that begins with a space.
  private static let place = " test"

  private let belfry: Belfry
  private let reminder: UUID

  /// The test of a message about a reminder.
  package init(of reminder: UUID, _ belfry: Belfry) { (self.reminder, self.belfry) = (reminder, belfry) }

  /// Lets the web face take a press from now on.
  ///
  /// - Throws: what the store throws.
  package func begin() throws { try keep(reminder.text) }

  /// Takes a press of an action, if its message waits for one.
  ///
  /// - Returns: false if it does not.
  /// - Throws: what the store throws.
  package func take(_ action: Int) throws -> Bool {
    guard try kept()?.hasPrefix(reminder.text) == true else { return false }
    try keep("\(reminder.text) \(action)")
    return true
  }

  /// Waits for a press.
  ///
  /// - Parameter patience: the seconds after which nobody waits any longer.
  /// - Returns: the number of the action, from 1; `nil` if none was pressed in time.
  /// - Throws: what the store throws.
  package func pressed(within patience: Double, _ waits: any TaskWaits) async throws -> Int? {
    let end = belfry.time.now.addingTimeInterval(patience)
    while !Task.isCancelled, belfry.time.now < end {
      let words = try kept()?.split(separator: " ") ?? []
      if words.count == 2, words[0] == reminder.text { return Int(words[1]) }
      await waits.until(belfry.time.now.addingTimeInterval(Self.pause))
    }
    return nil
  }

  private func kept() throws -> String? { try belfry.store.read { try $0.inbox(ofSink: Self.place) }?.position }

  private func keep(_ position: String) throws {
    let stamp = belfry.time.now.wholeSeconds
    try belfry.store.write { try $0.put(SinkInbox(sink: Self.place, position: position, changedAt: stamp)) }
  }
}
