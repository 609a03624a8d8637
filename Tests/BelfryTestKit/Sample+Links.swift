import BelfryEngine
import BelfryModel
import Foundation

extension Sample {
  /// Links for a message, whose tokens look like real ones and are worth nothing.
  public static func links(
    of message: Message, at publicURL: String = "https://belfry.example.org"
  ) -> [ReminderLinks] {
    message.contents.map { content in
      ReminderLinks(
        answerURL: "\(publicURL)/a/\(token(content, 0))",
        actions: content.actions.enumerated().map { index, action in
          let token = token(content, index + 1)
          return ActionLink(url: "\(publicURL)/a/\(token)", token: action.isCarriedOutByToken ? token : nil)
        })
    }
  }

  private static func token(_ content: ReminderContent, _ action: Int) -> String {
    "I" + content.reminderID.text.replacing("-", with: "_") + "Abcdef\(action)_-ghijklmn"
  }
}

extension DeliveryAttempt {
  /// The attempt as it is where messages have links.
  public var linked: DeliveryAttempt {
    DeliveryAttempt(
      deliveryID: deliveryID, message: message, recipient: recipient, startedAt: startedAt, lateSeconds: lateSeconds,
      links: Sample.links(of: message))
  }
}
