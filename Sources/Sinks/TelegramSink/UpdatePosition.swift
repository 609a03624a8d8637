import FoundationEssentials

/// The place of the last update that was taken.
///
/// The ids of updates rise, but restart at any number after a week without updates, with another bot or another server.
struct UpdatePosition: Hashable, Sendable {
  /// The seconds after which the place means nothing: updates are kept for a day, and their ids last for a week.
  private static let validFor = 172_800.0

  /// The id of the update.
  let id: Int64
  /// The instant at which it was taken, in whole seconds.
  let date: Date

  /// The place of an update that is taken now.
  init(id: Int64, date: Date) { (self.id, self.date) = (id, date) }

  /// The place that an inbox keeps; `nil` for other texts.
  init?(_ text: String) {
    let parts = text.split(separator: " ").map { Int64($0) }
    guard parts.count == 2, let id = parts[0], let seconds = parts[1], Update.ids.contains(id) else { return nil }
    self.init(id: id, date: Date(timeIntervalSince1970: Double(seconds)))
  }

  /// The text for an inbox.
  var text: String { "\(id) \(Int64(date.timeIntervalSince1970))" }

  /// True if updates that arrive at an instant can still be compared with it, also after the clock was set back.
  func isValid(at now: Date) -> Bool { abs(now.timeIntervalSince(date)) < Self.validFor }
}
