import BelfryModel
import Foundation

extension Sample {
  /// Inboxes with every field set and unset, by sink name.
  static let everyInbox = [
    SinkInbox(sink: "chat ✉", changedAt: now),
    SinkInbox(sink: "mail", position: "", problem: "", changedAt: now + 1),
    SinkInbox(sink: "ntfy", position: "sPs71M8A2T", changedAt: now + 60),
    SinkInbox(
      sink: "telegram", position: "9007199254740993", problem: "HTTP 409: «another \u{1D11E}» <me> & co. ]]>",
      changedAt: now + 120),
  ]
}
