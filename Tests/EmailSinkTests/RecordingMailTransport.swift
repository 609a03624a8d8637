import BelfryTestKit
import Foundation
import Synchronization
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime
@testable import EmailSink
@testable import Transport

/// A mail transport that records mails and returns answers chosen by the test.
final class RecordingMailTransport: MailTransport {
  typealias Answer = @Sendable (MailServer) -> Result<SMTPReply, TransferFailure>

  private let answer: Answer
  private let sent = Mutex<[(mail: Mail, server: MailServer)]>([])

  init(answer: @escaping Answer = { _ in .success(SMTPReply(code: 250, text: "OK", stage: .data)) }) {
    self.answer = answer
  }

  var mails: [Mail] { sent.withLock { $0.map(\.mail) } }
  var servers: [MailServer] { sent.withLock { $0.map(\.server) } }

  func send(_ mail: Mail, through server: MailServer) async throws(TransferFailure) -> SMTPReply {
    sent.withLock { $0.append((mail, server)) }
    return try answer(server).get()
  }

  func probe(_ server: MailServer) async throws(TransferFailure) -> SMTPReply { try answer(server).get() }
}

enum Mailing {
  static let zones = ZoneDatabase(environment: [:])

  /// Settings for one recipient on a server without a password.
  static func settings(_ change: (inout EmailSettings) throws -> Void = { _ in }) throws -> EmailSettings {
    var settings = EmailSettings(
      url: try ServerURL("smtp://mail.example.org:587", schemes: ["smtp", "smtps"]),
      from: try Mailbox("Belfry <belfry@example.org>"), to: [try Mailbox("me@example.org")])
    try change(&settings)
    return settings
  }

  static func sink(_ settings: EmailSettings, _ transport: RecordingMailTransport) -> EmailSink {
    EmailSink(settings, transports: Transports(http: Transports.none.http, mail: transport), zones: zones)
  }

  /// The mail composed for an attempt.
  static func mail(
    _ attempt: DeliveryAttempt, _ change: (inout EmailSettings) throws -> Void = { _ in }
  ) async throws -> Mail {
    let transport = RecordingMailTransport()
    _ = await sink(try settings(change), transport).deliver(attempt)
    return try Check.present(transport.mails.first, "the mail")
  }

  /// An attempt to deliver a message with these contents.
  static func attempt(_ contents: [ReminderContent], lateSeconds: Int = 0) -> DeliveryAttempt {
    let message = Message(id: Sample.uuid("message"), sink: "mail", contents: contents, createdAt: Sample.now)
    return Sample.attempt(message, to: "me@example.org", lateSeconds: lateSeconds)
  }

  /// The content about an item, with the zone in which its times are shown.
  static func content(
    _ text: String = "Buy milk", list: String = "Groceries", id: Int64 = 1, notes: String? = nil,
    zone: String = "Europe/Zurich", dueIn minutes: Int = 0, actions: [CategoryAction] = []
  ) throws -> ReminderContent {
    var item = Sample.item(id: id, text: text, due: try Sample.due(minutes))
    item.notes = notes
    item.category = "shopping"
    item.zone = .fixed(zone)
    var settings = Settings()
    settings.categories = [Category(identifier: "shopping", actions: actions)]
    let reminder = try Sample.reminder(of: .item(id))
    return ReminderContent(
      reminder: reminder, subject: .item(ItemListing(item: item, listName: list, nextFireDate: nil)),
      settings: settings, badge: 0, planner: Sample.planner, now: Sample.now)
  }

  /// The content about a list with these unchecked items.
  static func listContent(_ texts: [String], name: String = "Tools", message: String? = nil) throws -> ReminderContent {
    let list = Sample.list(
      id: 2, name: name, reminder: ListReminder(due: try Sample.due(), zone: .floating, message: message))
    let unchecked = texts.enumerated().map { index, text in
      ItemListing(
        item: Sample.item(id: Int64(index + 1), listID: 2, text: text), listName: name, nextFireDate: nil)
    }
    return Sample.content(try Sample.reminder(of: .list(2)), about: .list(list, unchecked: unchecked))
  }
}
