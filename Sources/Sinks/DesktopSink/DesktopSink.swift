import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import MessageText

/// A sink that shows notifications on a desktop.
package struct DesktopSink: AnsweredSink {
  private let settings: DesktopSettings
  private let zones: ZoneDatabase
  private let desktop: Desktop

  /// A sink for the desktop whose bus is at an address. Connects with the first use.
  ///
  /// - Parameter zones: the zones in which times are shown.
  package init(_ settings: DesktopSettings, busAt address: String, zones: ZoneDatabase) {
    self.init(settings, on: Desktop(at: address), zones: zones)
  }

  /// A sink for a desktop.
  init(_ settings: DesktopSettings, on desktop: Desktop, zones: ZoneDatabase) {
    (self.settings, self.desktop, self.zones) = (settings, desktop, zones)
  }

  /// A single recipient without a name: the user of the desktop.
  package var recipients: [String?] { [nil] }

  /// One, so that notifications appear in order.
  package var concurrency: Int { 1 }

  /// True, since a notification is closed once its reminder was answered.
  package var canWithdraw: Bool { true }

  /// The presses of its buttons.
  package var replies: (any ReplySource)? { DesktopReplies(desktop: desktop, urgency: settings.urgency ?? .normal) }

  /// Shows one message, or closes an answered one; see ``ReminderSink``.
  package func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
    do throws(BusFailure) {
      return try desktop.withServer { server throws(BusFailure) in
        if attempt.message.kind == .answered {
          return try withdraw(attempt, from: server)
        }
        return try show(attempt, on: server)
      }
    } catch {
      return error.outcome
    }
  }

  /// Asks the server for its name, and whether do-not-disturb is on, and shows nothing; see ``ReminderSink``.
  package func probe() async -> DeliveryOutcome {
    do throws(BusFailure) {
      return try desktop.withServer { server throws(BusFailure) in
        let words = [try server.information(), try server.reasonToWait(settings.urgency ?? .normal)]
        return .delivered(reply: words.compactMap(\.self).joined(separator: "; "))
      }
    } catch {
      return error.outcome
    }
  }

  private func show(_ attempt: DeliveryAttempt, on server: NotificationServer) throws(BusFailure) -> DeliveryOutcome {
    let capabilities = try server.capabilities()
    if let reason = try server.reasonToWait(urgency(of: attempt.message)) { return .later(reason: reason) }
    let words = ReminderWords.all(attempt, zones: zones, limit: NotificationText.mostReminders)
    let text = NotificationText(attempt, words: words, for: capabilities)
    // A nag, and a later ringing, replace the notification of the same item.
    let replaced =
      attempt.receipt.flatMap(server.number) ?? server.shown.last(about: attempt.message.singleOwner)?.number
    let notification = notification(attempt.message, text, capabilities)
    guard attempt.maySend() else { return .tooLate }
    let number = try server.show(notification, inPlaceOf: replaced)
    server.shown.append(
      ShownNotifications.Entry(
        number: number, attempt.message, links: text.isClickable ? words.first?.links : nil))
    return .delivered(reply: server.receipt(of: number))
  }

  private func notification(
    _ message: Message, _ text: NotificationText, _ capabilities: Capabilities
  ) -> Notification {
    var notification = Notification(summary: text.summary)
    notification.body = capabilities.hasMarkup ? text.body.escapedForHTML() : text.body
    notification.buttons = text.buttons.map { number, action in
      Notification.Button(
        key: ButtonKey(reminder: message.contents[0].reminderID, action: number).text,
        label: action.title.onOneLine().showable)
    }
    if text.isClickable { notification.buttons.append(.init(key: ButtonKey.click, label: "Open")) }
    notification.icon = settings.icon
    notification.urgency = urgency(of: message)
    if message.urgency == .high { notification.milliseconds = 0 }
    if message.kind == .failed { notification.category = "x-belfry.failure" }
    notification.isSilent = message.isSilent
    if !message.isSilent { notification.sound = message.contents.first?.alert.namedSound?.showable }
    if let seconds = settings.shownFor { notification.milliseconds = Int32(min(seconds, 2_000_000) * 1_000) }
    return notification
  }

  private func urgency(of message: Message) -> DesktopSettings.Urgency {
    settings.urgency ?? DesktopSettings.Urgency(message.urgency)
  }

  private func withdraw(
    _ attempt: DeliveryAttempt, from server: NotificationServer
  ) throws(BusFailure) -> DeliveryOutcome {
    let original = attempt.message.original
    let number = attempt.receipt.flatMap(server.number) ?? server.shown.last(of: original)?.number
    // A later ringing may have replaced this notification.
    guard let number, server.shown[number].map({ $0.message == original }) ?? true else { return .delivered }
    guard attempt.maySend() else { return .tooLate }
    try server.close(number)
    return .delivered
  }
}
