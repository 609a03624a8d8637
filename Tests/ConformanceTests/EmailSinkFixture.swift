import BelfryEngine
import BelfryTestKit
import CivilTime
import ConfigKeys
import CurlTransport
import EmailSink
import Foundation
import MessageText
import Synchronization
import TestSupport
import Transport

extension EmailSinkPlugin: TestedSinkPlugin {
  static var fixtures: [SinkKind] { [SinkKind("email") { try EmailSinkFixture() }] }
}

/// A mail server with AUTH and STARTTLS that a sink mails through, over libcurl.
final class EmailSinkFixture: NetworkSinkFixture {
  private static let password = "pa5sword~which/nobody+reads"
  private static let recipients = ["me@example.org", "you@example.org"]

  private let authority: TestAuthority
  private let collector: MailCollector
  private let transport = CurlTransport()
  private let others = Mutex<[any Sendable]>([])
  private let lines = Mutex<[String]>([])

  init() throws {
    authority = try TestAuthority()
    collector = try MailCollector(Self.configuration(), authority: authority)
  }

  var secrets: [String] { [Self.password] }

  var showsLinks: Bool { true }

  func makeSink() throws -> any ReminderSink { try sink(collector.url, timeout: 60) }

  func makeSink(facing fault: SinkFault, timeout: Double) throws -> any ReminderSink {
    switch fault {
    case .refusing: try sink(answering("550 5.7.1 no such user;"), timeout: timeout)
    case .busy: try sink(answering("450 4.7.1 later;"), timeout: timeout)
    case .dropping: try sink(keep(SMTPSink(["-q", "DATA"])).url, isOpen: true, timeout: timeout)
    case .droppingAtTheEnd: try sink(rude(.droppingAfterDot), isOpen: true, timeout: timeout)
    case .hanging: try sink(rude(.silent), timeout: timeout)
    case .slow: try sink(rude(.slowReply), isOpen: true, timeout: timeout)
    case .babbling: try sink(rude(.garbage), timeout: timeout)
    case .untrusted:
      try sink(keep(MailCollector(Self.configuration(), authority: TestAuthority())).url, timeout: timeout)
    }
  }

  func received() throws -> [ReceivedMessage] {
    try collector.received().map { mail in
      try Check.equal(mail.defects, [], "what Python's parser found wrong")
      try Check.that(mail.hasOnlyCRLF && mail.longestLine <= 998, "a line is too long or ends wrongly")
      try Check.equal(mail.structure, ["multipart/alternative", "text/plain", "text/html"], "the structure")
      let text = (mail.field("Subject") ?? "") + "\n" + (mail.parts.first?.text ?? "").replacing("\r\n", with: "\n")
      return ReceivedMessage(
        identity: mail.field("Message-ID"), text: text,
        envelope: [mail.sender] + mail.recipients + mail.fields.compactMap(\.first).sorted(),
        whole: mail.parts.map(\.text).joined(separator: "\n"))
    }
  }

  func disconnect() { collector.stop() }

  func dialogue() -> [String] { lines.withLock { $0 } }

  private static func configuration() -> MailCollector.Configuration {
    var configuration = MailCollector.Configuration()
    configuration.passwords = ["belfry": password]
    configuration.requiresSTARTTLS = true
    return configuration
  }

  // An open server offers neither TLS nor AUTH, so none is configured.
  private func sink(_ url: String, isOpen: Bool = false, timeout: Double) throws -> any ReminderSink {
    var settings = EmailSettings(
      url: try ServerURL(url, schemes: ["smtp", "smtps"]), from: try Mailbox("Belfry <belfry@example.org>"),
      to: try Self.recipients.map { try Mailbox($0) })
    settings.options.timeoutSeconds = timeout
    settings.options.caFile = authority.certificate
    settings.security = isOpen ? .none : .required
    if !isOpen { settings.authentication = .password(username: "belfry", SecretSource(Secret(Self.password))) }
    let transports = Transports(http: transport, mail: transport) { [weak self] line in
      self?.lines.withLock { $0.append("\(line)") }
    }
    return EmailSink(settings, transports: transports, zones: ZoneDatabase(environment: [:]))
  }

  private func answering(_ words: String) throws -> String {
    var configuration = Self.configuration()
    for recipient in Self.recipients { configuration.refused[recipient] = "\(words) \(Self.password)" }
    return try keep(MailCollector(configuration, authority: authority)).url
  }

  private func rude(_ manner: RudeServer.Manner) throws -> String { "smtp://\(try keep(RudeServer(manner)).address)" }

  private func keep<Server: Sendable>(_ server: Server) -> Server {
    others.withLock { $0.append(server) }
    return server
  }
}
