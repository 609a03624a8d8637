import BelfryTestKit
import Foundation
import Synchronization
import Testing
@testable import BelfryEngine
@testable import ConfigKeys
@testable import Transport

@testable import EmailSink

@Suite("What a mail server's reply means")
struct EmailReplyTests {
  enum Meaning: Sendable { case delivered, later, attention, never }

  static let stages: [SMTPReply.Stage] = [
    .greeting, .hello, .encryption, .authentication, .sender, .recipient, .data,
  ]

  private func meaning(_ outcome: DeliveryOutcome) -> Meaning? {
    switch outcome {
    case .delivered: .delivered
    case .later(_, nil, false): .later
    case .later(_, nil, true): .attention
    case .never(_, false): .never
    default: nil
    }
  }

  @Test("yes to the mail itself is delivered; a yes to anything before it is not")
  func yes() {
    for stage in Self.stages {
      let expected: Meaning = stage == .data ? .delivered : .later
      #expect(meaning(ReplyClassification.outcome(SMTPReply(code: 250, text: "OK", stage: stage))) == expected)
    }
  }

  @Test("4yz is later at every stage", arguments: [400, 421, 450, 451, 452, 454, 499])
  func notNow(code: Int) {
    for stage in Self.stages {
      #expect(meaning(ReplyClassification.outcome(SMTPReply(code: code, text: "busy", stage: stage))) == .later)
    }
  }

  @Test(
    "5yz is later before MAIL FROM, and never from MAIL FROM on", arguments: [500, 501, 503, 550, 552, 553, 554, 599])
  func no(code: Int) {
    let expected: [Meaning] = [.later, .later, .later, .attention, .never, .never, .never]
    for (stage, expected) in zip(Self.stages, expected) {
      let outcome = ReplyClassification.outcome(SMTPReply(code: code, text: "no such user", stage: stage))
      #expect(meaning(outcome) == expected)
      #expect("\(outcome)".contains("no such user") && "\(outcome)".contains("\(code)"))
    }
  }

  @Test("authentication failures need the user, at whatever stage", arguments: [530, 534, 535, 538])
  func authentication(code: Int) {
    for stage in Self.stages {
      #expect(meaning(ReplyClassification.outcome(SMTPReply(code: code, text: "auth", stage: stage))) == .attention)
    }
  }

  @Test("nonsense is later", arguments: [0, -1, 100, 199, 354, 399, 600, 999])
  func nonsense(code: Int) {
    for stage in Self.stages {
      #expect(meaning(ReplyClassification.outcome(SMTPReply(code: code, text: "?", stage: stage))) == .later)
    }
  }

  @Test("a probe is good with any yes")
  func probe() async throws {
    let settings = try Mailing.settings()
    let good = RecordingMailTransport { _ in .success(SMTPReply(code: 250, text: "hello", stage: .greeting)) }
    #expect(await Mailing.sink(settings, good).probe() == .delivered)
    let bad = RecordingMailTransport { _ in .success(SMTPReply(code: 535, text: "no", stage: .authentication)) }
    #expect(meaning(await Mailing.sink(settings, bad).probe()) == .attention)
    #expect(good.mails.isEmpty)
  }
}

@Suite("Deliveries by mail")
struct EmailDeliveryTests {
  @Test("each recipient gets a mail of its own, and one refusal does not cost the others theirs")
  func recipients() async throws {
    let settings = try Mailing.settings { $0.to = [try Mailbox("a@example.org"), try Mailbox("B <b@example.org>")] }
    let transport = RecordingMailTransport()
    let sink = Mailing.sink(settings, transport)
    #expect(sink.recipients == ["a@example.org", "b@example.org"])
    let message = Mailing.attempt([try Mailing.content()]).message
    for recipient in sink.recipients {
      #expect(await sink.deliver(Sample.attempt(message, to: recipient)).isDelivered)
    }
    #expect(transport.mails.map(\.recipient) == ["a@example.org", "b@example.org"])
    #expect(transport.mails[0].fields == transport.mails[1].fields)
    #expect(transport.mails[0].fields.first { $0.name == "To" }?.value == "a@example.org, B <b@example.org>")
  }

  @Test("a recipient that cannot be mailed to is never tried")
  func badRecipient() async throws {
    let transport = RecordingMailTransport()
    let sink = Mailing.sink(try Mailing.settings(), transport)
    let message = Mailing.attempt([try Mailing.content()]).message
    for recipient in [nil, "", "a@b\r\nRCPT TO:<c@d>", "a b@c"] {
      guard case .never(let reason, false) = await sink.deliver(Sample.attempt(message, to: recipient)) else {
        Issue.record("not never: \(recipient ?? "none")")
        continue
      }
      #expect(!reason.contains("\n") && !reason.contains("\r"))
    }
    #expect(transport.mails.isEmpty)
  }

  @Test("how we sign in and are encrypted is as the settings say")
  func server() async throws {
    let transport = RecordingMailTransport()
    let settings = try Mailing.settings {
      $0.security = .opportunistic
      $0.authentication = .token(username: "me", SecretSource(Secret("t0ken")))
      $0.options.caFile = "/ca.pem"
    }
    _ = await Mailing.sink(settings, transport).deliver(Mailing.attempt([try Mailing.content()]))
    let server = try #require(transport.servers.first)
    #expect(server.url == "smtp://mail.example.org:587" && server.security == .opportunistic)
    #expect(server.credential == MailCredential(username: "me", proof: .token("t0ken")))
    #expect(server.options.caFile == "/ca.pem" && server.options.timeoutSeconds == 60)
  }

  @Test("no secret is in an outcome or in the trace, in whichever form the other side repeats it")
  func secrets() async throws {
    let password = "p4ss/w+rd é"
    func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
    let forms = [
      password, base64(password), base64("\0me\0\(password)"), base64("\0somebody@example.org\0\(password)"),
      base64("user=me\u{1}auth=Bearer \(password)\u{1}\u{1}"), "p4ss%2Fw%2Brd%20%C3%A9", "p4ss%2fw%2brd%20%c3%a9",
    ]
    let lines = Mutex<[TransferLine]>([])
    for form in forms {
      let transport = RecordingMailTransport { server in
        server.options.trace?(.sent("AUTH PLAIN \(form)"))
        return .success(SMTPReply(code: 535, text: "5.7.8 what is \(form)?", stage: .authentication))
      }
      let settings = try Mailing.settings {
        $0.authentication = .password(username: "me", SecretSource(Secret(password)))
      }
      let sink = EmailSink(
        settings,
        transports: Transports(http: Transports.none.http, mail: transport) { line in lines.withLock { $0.append(line) }
        },
        zones: Mailing.zones)
      let outcome = await sink.deliver(Mailing.attempt([try Mailing.content()]))
      #expect(
        outcome == .later(reason: "SMTP 535 to AUTH: 5.7.8 what is <redacted>?", needsAttention: true), "\(form)")
      #expect(!"\(sink)".contains(password))
    }
    #expect(lines.withLock { $0 } == forms.map { _ in .sent("AUTH PLAIN <redacted>") })
  }

  @Test("a short secret is not shown either, in what PLAIN, LOGIN, XOAUTH2 and OAUTHBEARER make of it")
  func shortSecrets() async throws {
    func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
    let secret = "1234"
    let bearer = "\u{1}auth=Bearer 1234\u{1}\u{1}"
    let cases: [(EmailSettings.Authentication, [String])] = [
      (.password(username: "me", SecretSource(Secret(secret))), [base64("\0me\0\(secret)"), base64(secret)]),
      (
        .token(username: "me", SecretSource(Secret(secret))),
        [
          base64("user=me\(bearer)"), base64("n,a=me,\u{1}host=mail.example.org\u{1}port=587\(bearer)"),
        ]
      ),
    ]
    for (authentication, forms) in cases {
      let lines = Mutex<[TransferLine]>([])
      let transport = RecordingMailTransport { server in
        for form in forms { server.options.trace?(.sent(form)) }
        return .success(SMTPReply(code: 535, text: "5.7.8 not \(forms[0])", stage: .authentication))
      }
      let sink = EmailSink(
        try Mailing.settings { $0.authentication = authentication },
        transports: Transports(http: Transports.none.http, mail: transport) { line in lines.withLock { $0.append(line) }
        }, zones: Mailing.zones)
      let outcome = await sink.deliver(Mailing.attempt([try Mailing.content()]))
      #expect(outcome == .later(reason: "SMTP 535 to AUTH: 5.7.8 not <redacted>", needsAttention: true))
      #expect(lines.withLock { $0 } == forms.map { _ in .sent("<redacted>") })
    }
  }

  @Test("a missing password is ours to mend, and tried again")
  func missingSecret() async throws {
    let transport = RecordingMailTransport()
    let settings = try Mailing.settings {
      $0.authentication = .password(
        username: "me", SecretSource(key: "password_env", place: .variable("BELFRY_TEST", nil)))
    }
    let outcome = await Mailing.sink(settings, transport).deliver(Mailing.attempt([try Mailing.content()]))
    #expect(
      outcome
        == .later(reason: "'password_env': the environment variable 'BELFRY_TEST' is not set", needsAttention: true))
    #expect(transport.mails.isEmpty)
  }

  @Test("an outcome that nobody knows is tried again")
  func interrupted() async throws {
    let transport = RecordingMailTransport { _ in .failure(TransferFailure(.interrupted, "dropped after the dot")) }
    let outcome = await Mailing.sink(try Mailing.settings(), transport).deliver(
      Mailing.attempt([try Mailing.content()]))
    #expect(outcome == .unknown(reason: "dropped after the dot"))
  }
}
