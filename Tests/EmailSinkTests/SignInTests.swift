import BelfryEngine
import BelfryTestKit
import ConfigKeys
import Foundation
import MessageText
import MustacheTemplates
import Testing
import Transport

@testable import EmailSink

@Suite("The mail with a sign-in link")
struct SignInTests {
  private static let link = "https://belfry.example.org/sign-in/\(String(repeating: "aB3_", count: 10))xyz"
  private static let letter = SignInLetter(
    id: Sample.uuid("letter"), person: "Zoë", address: "zoe@example.org", link: Secret(link), madeAt: Sample.now)

  @Test("it goes to the person alone, with the link on a line of its own, whatever the sink's recipients and templates")
  func mail() async throws {
    let transport = RecordingMailTransport()
    let settings = try Mailing.settings {
      $0.to.append(try Mailbox("team@example.org"))
      $0.text = try Template("{{text}}", escaping: .text, language: MustacheLanguage())
      $0.attachesCalendar = true
    }
    let outcome = await Mailing.sink(settings, transport).deliver(Self.letter)
    #expect(outcome.isDelivered)
    let mail = try #require(transport.mails.first)
    #expect(transport.mails.count == 1 && mail.recipient == "zoe@example.org" && mail.attachments.isEmpty)
    #expect(mail.text.split(separator: "\n").contains(Self.link[...]) && mail.text.contains("signs Zoë in"))
    let fields = Dictionary(mail.fields.map { ($0.name, $0.value) }) { "\($0), \($1)" }
    #expect(fields["To"] == "zoe@example.org" && fields["Auto-Submitted"] == "auto-generated")
    #expect(fields["Message-ID"]?.hasSuffix("@example.org>") == true && fields["References"] == nil)
    #expect(!mail.fields.contains { $0.value.contains("sign-in/") })
  }

  @Test("an address that is none is never mailed to; a server that quotes the link does not bring it into the reason")
  func failures() async throws {
    let letter = SignInLetter(person: "x", address: "nobody", link: Secret(Self.link), madeAt: Sample.now)
    let transport = RecordingMailTransport { _ in
      .success(SMTPReply(code: 554, text: "spam: \(Self.link.suffix(30))", stage: .data))
    }
    let sink = Mailing.sink(try Mailing.settings(), transport)
    #expect(await !sink.deliver(letter).isDelivered && transport.mails.isEmpty)
    let outcome = await sink.deliver(Self.letter)
    guard case .never(let reason, _) = outcome else { throw Unexpected(outcome: outcome) }
    #expect(reason.contains("spam") && !reason.contains("aB3_") && !reason.contains("xyz"), "\(reason)")
  }

  private struct Unexpected: Error {
    let outcome: DeliveryOutcome
  }
}
