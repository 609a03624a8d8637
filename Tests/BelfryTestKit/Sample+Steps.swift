import BelfryModel
import CivilTime
import Foundation

extension Sample {
  /// A message of a step of an escalation with three steps, which began ten minutes before ``now``.
  ///
  /// - Parameters:
  ///   - asked: the people and sinks that were asked before.
  ///   - people: the people among those.
  /// - Throws: `DateError` outside the supported years.
  public static func step(
    _ step: Int = 2, ring: Int = 1, asked: [String] = ["anna"], people: [String] = ["anna"], tellsAnswer: Bool = true,
    text: String = "Buy milk"
  ) throws -> Message {
    let message = try message(text: text)
    let note = EscalationNote(
      name: "home", step: step, of: 3, ring: ring, since: OffsetInstant(now - 600, in: .utc), asked: asked,
      people: people, tellsAnswer: tellsAnswer)
    return Message(
      id: message.id, sink: message.sink,
      contents: message.contents.map { content in
        ReminderContent(
          reminderID: content.reminderID, fireDate: content.fireDate, alert: content.alert, subject: content.subject,
          category: content.category, actions: content.actions, timeZone: "UTC", escalation: note)
      }, createdAt: message.createdAt)
  }
}
