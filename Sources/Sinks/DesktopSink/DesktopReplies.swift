import BelfryEngine
import BelfryModel
import Glibc

/// The presses of buttons on a desktop's notifications.
///
/// A press is kept in memory until it is taken. A press while this program does not run is lost; the notification then
/// stays if its server keeps it.
struct DesktopReplies: ReplySource {
  let desktop: Desktop
  /// The urgency of waiting notifications while notifications are held back.
  let urgency: DesktopSettings.Urgency

  let channel = Answer.Channel("desktop", words: "the desktop")

  /// False, since no other program can write to the channel.
  var hasTokens: Bool { false }

  func receive(_ inbox: Inbox, waits: Bool) async throws -> ReceiveOutcome {
    do {
      let connection = try desktop.arrived().connection
      try inbox.connected()
      let copies = try inbox.standingCopies()
      let isHeld = try desktop.withServer { server throws(BusFailure) in
        server.recall(copies)
        // The bus would start a server in order to ask it.
        return server.isRunning ? try server.reasonToWait(urgency) != nil : false
      }
      // Do-not-disturb may have ended before this program connected.
      if !isHeld { try inbox.resumeDeliveries() }
      while !Task.isCancelled {
        let arrived = try desktop.arrived()
        // The engine decides whether and when to continue over another connection.
        guard arrived.connection == connection else { return .ended }
        if arrived.hasResumed { try inbox.resumeDeliveries() }
        if !arrived.presses.isEmpty { try take(arrived.presses, inbox) }
        guard waits else { return .ended }
        if arrived.presses.isEmpty { await inbox.ready(arrived.descriptor, for: Int16(POLLIN)) }
      }
      return .ended
    } catch let failure as BusFailure {
      return ReceiveOutcome(failure.outcome)
    }
  }

  private func take(_ presses: [Desktop.Press], _ inbox: Inbox) throws {
    for press in presses {
      switch press.effect {
      case .answer(let key):
        let results = try inbox.take([Reply(.action(key.action, of: key.reminder))])
        desktop.remove(press)
        if let result = results.first, let words = result.news { say(words, press) }
      case .open(let page):
        desktop.remove(press)
        if let failure = open(page) { say(failure, press) }
      }
    }
  }

  /// Opens a page. Returns the reason of a failure.
  private func open(_ page: String) -> String? {
    // A portal that does not reply in time may still open it.
    let isOpen = (try? desktop.withServer { server throws(BusFailure) in try server.open(page) }) ?? true
    guard !isOpen, let reason = PageOpener.open(page) else { return nil }
    return "\(reason): \(page)"
  }

  /// Shows a person the result of a press, instead of the notification. If that fails, the answer still counts.
  private func say(_ words: String, _ press: Desktop.Press) {
    guard let number = press.notification else { return }
    _ = try? desktop.withServer { server throws(BusFailure) in
      var notification = Notification(summary: words.capitalizedFirst.onOneLine().showable)
      (notification.isSilent, notification.isTransient) = (true, true)
      return try server.show(notification, inPlaceOf: number)
    }
  }
}

extension ReplyResult {
  /// The words of a further notification; `nil` if the pressed one just closes.
  fileprivate var news: String? {
    if case .answered(let answer) = self, answer.effect == .done { nil } else { words }
  }
}
