import Foundation
import Testing
import TestSupport

@Suite("Over the network")
struct NetworkDeliveryTests {
  @Test("each answer of a web server is classed as the table says, and the next attempt is when it should be")
  func classification() async throws {
    let server = try NginxServer()
    let final = ["200": "delivered", "204": "delivered", "301": "dead", "400": "dead", "404": "dead", "410": "dead"]
    // The delay in seconds: the schedule's first step with jitter, or that of Retry-After.
    let later: [String: ClosedRange<Double>] = [
      "401": 5...7, "425": 5...7, "500": 5...7, "429": 7...8, "503": 7...8,
    ]
    let box = try Sandbox(
      sinks: (Array(final.keys) + Array(later.keys)).map { "s\($0): { type: webhook, url: \"\(server.url)/\($0)\" }" })
    try await box.addDueItems(["Milk"])
    let start = Date().timeIntervalSince1970.rounded(.down)
    let outcome = try await box.belfry("run", "--once")
    let end = Date().timeIntervalSince1970.rounded(.up)
    #expect(outcome.status == 75, "\(outcome)")
    for (status, state) in final {
      let delivery = try #require(try await box.deliveries(of: "s\(status)").first)
      #expect(delivery["state"] == .text(state), "\(delivery)")
      #expect(delivery["next_attempt_at"] == .null)
      #expect(state == "delivered" || delivery["last_error"]?.text?.contains(status) == true, "\(delivery)")
    }
    for (status, pause) in later {
      let delivery = try #require(try await box.deliveries(of: "s\(status)").first)
      #expect(delivery["state"] == .text("pending"), "\(delivery)")
      #expect(delivery["attempts"] == .integer(1))
      #expect(delivery["last_error"]?.text?.contains(status) == true, "\(delivery)")
      let next = try #require(try delivery.moment("next_attempt_at"))
      #expect((start + pause.lowerBound...end + pause.upperBound).contains(next), "\(status): \(next - start)")
    }
    #expect(server.accessLog.count == final.count + later.count, "a redirect was followed, or something was repeated")
  }

  @Test("410 pauses the sink: the first is dead, what is behind it stays pending")
  func gone() async throws {
    let server = try NginxServer()
    let box = try Sandbox(sinks: ["hook: { type: webhook, url: \"\(server.url)/410\", concurrency: 1 }"])
    try await box.addDueItems(["One", "Two", "Three"])
    let daemon = try await box.daemon()
    try await daemon.waitForLog("paused until belfryd restarts")
    #expect(await daemon.stop().end == .exited(0))
    #expect(try await box.deliveries(of: "hook").map { $0["state"]?.text } == ["dead", "pending", "pending"])
    #expect(server.accessLog.count == 1)
    let problem = try #require(try await box.json("sinks").elements?.first { $0["name"] == .text("hook") }?["problem"])
    #expect(problem["kind"] == .text("paused") && problem["reason"]?.text?.contains("HTTP 410") == true, "\(problem)")
    let shown = try await box.belfry("sinks")
    #expect(shown.output.contains("paused until belfryd restarts, since "), "\(shown)")
    let doctor = try await box.belfry("doctor")
    #expect(doctor.output.contains("paused until belfryd restarts"), "\(doctor)")
  }

  @Test("the time of the next attempt survives kill -9, and nothing is tried before it")
  func restart() async throws {
    // Later than any time that a slow machine could reach in this test.
    let server = try HTTPCollector(answers: [.init(503, fields: ["Retry-After": "7200"]), .init(204)])
    let box = try Sandbox(sinks: ["hook: { type: webhook, url: \"\(server.url)\" }"])
    try await box.addDueItems(["Milk"])
    let start = Date().timeIntervalSince1970.rounded(.down)
    let daemon = try await box.daemon()
    try await daemon.waitForLog("put off after attempt 1")
    #expect(await daemon.stop(SIGKILL).end == .signalled(SIGKILL))
    let putOff = try #require(try await box.deliveries(of: "hook").first)
    #expect(try #require(try putOff.moment("next_attempt_at")) >= start + 7_200, "\(putOff)")
    #expect(try await box.belfry("run", "--once", options: .at("+1h")).status == 75)
    #expect(try await box.deliveries(of: "hook") == [putOff])
    let delivered = try await box.belfry("run", "--once", options: .at("+3h"))
    #expect(delivered.isDone, "\(delivered)")
    #expect(try await box.deliveries(of: "hook").map { $0["attempts"] } == [.integer(2)])
    let explained = try await box.belfry("explain", "1")
    for words in ["put off, HTTP 503", "delivered, HTTP 204"] {
      #expect(explained.output.contains(words), "\(explained)")
    }
    #expect(try server.received().count == 2)
    #expect(Set(try server.received().map { $0.field("webhook-id") }).count == 1)
  }

  @Test("a mail server that hangs delays no webhook")
  func hanging() async throws {
    let mail = try SMTPSink(["-W", ".:600"])
    // The duration of as many webhooks on this machine without other sinks.
    let alone = try await secondsOfWebhooks(in: Sandbox(sinks: []))
    let box = try Sandbox(sinks: [Sandbox.mailSink(mail.url)])
    let beside = try await secondsOfWebhooks(in: box)
    #expect(beside <= max(2, 3 * alone), "\(alone) s alone")
    #expect(try await box.deliveries(of: "mail").allSatisfy { $0["state"] == .text("pending") })
  }

  /// The seconds between the first and the last of forty webhooks that a daemon delivers, beside a sandbox's own sinks.
  private func secondsOfWebhooks(in box: Sandbox) async throws -> Double {
    let server = try NginxServer()
    try box.write(
      box.text("belfry.yaml") + "  hook: { type: webhook, url: \"\(server.url)/204\" }\n", to: "belfry.yaml")
    try await box.addDueItems((1...40).map { "Item \($0)" })
    let daemon = try await box.daemon()
    var delivered: [Double] = []
    try await waitUntil("every webhook is delivered") {
      delivered = try await box.deliveries(of: "hook").compactMap { try $0.moment("delivered_at") }
      return delivered.count == 40
    }
    _ = await daemon.stop(SIGKILL)
    return try #require(delivered.max()) - (try #require(delivered.min()))
  }

  @Test("when one of two recipients is refused, the other gets the mail once")
  func twoRecipients() async throws {
    var configuration = MailCollector.Configuration()
    configuration.refused = [
      "gone@example.org": "550 5.1.1 no such user", "full@example.org": "452 4.2.2 mailbox full",
    ]
    let server = try MailCollector(configuration)
    let recipients = ["gone@example.org", "me@example.org", "full@example.org"]
    let box = try Sandbox(sinks: [Sandbox.mailSink(server.url, to: recipients)])
    try await box.addDueItems(["Milk"])
    for _ in 1...2 { #expect(try await box.belfry("run", "--once").status == 75) }
    let deliveries = try await box.deliveries(of: "mail")
    #expect(deliveries.map { $0["recipient"]?.text } == recipients)
    #expect(deliveries.map { $0["state"]?.text } == ["dead", "delivered", "pending"])
    #expect(deliveries[0]["last_error"]?.text?.contains("5.1.1 no such user") == true, "\(deliveries[0])")
    #expect(deliveries[2]["last_error"]?.text?.contains("4.2.2 mailbox full") == true, "\(deliveries[2])")
    #expect(Set(deliveries.map { $0["message_id"] }).count == 1)
    #expect(try server.received().map(\.recipients) == [["me@example.org"]])
  }

  @Test("a mail through a whole Postfix is what was sent", .enabled(if: getuid() == 0, "Postfix is started by root"))
  func postfix() async throws {
    let server = try PostfixServer()
    let box = try Sandbox(sinks: [Sandbox.mailSink(server.url)])
    let text = "Kühe füttern, 漢字 \u{1F468}\u{200D}\u{1F469} <b>&amp;</b>"
    try await box.addDueItems([text, "."])
    let outcome = try await box.belfry("run", "--once")
    #expect(outcome.isDone, "\(outcome) \(server.log)")
    try await waitUntil("both mails are delivered: \(server.log)") { try server.mails().count == 2 }
    let program = """
      import email, email.policy, json, sys
      for name in sys.argv[1:]:
          mail = email.message_from_binary_file(open(name, 'rb'), policy=email.policy.default)
          print(json.dumps(dict(
              id=mail['Message-ID'], to=mail['To'], sender=mail['Return-Path'], subject=mail['Subject'],
              auto=mail['Auto-Submitted'], structure=[part.get_content_type() for part in mail.walk()],
              defects=[str(defect) for part in mail.walk() for defect in part.defects],
              text=mail.get_body(('plain',)).get_content(), html=mail.get_body(('html',)).get_content())))
      """
    let read = try await box.python(program, try server.mails())
    let mails = try read.output.split(separator: "\n").map { try JSON(String($0)) }
    let stored = try await box.deliveries(of: "mail").compactMap { $0["message_id"]?.text }
    #expect(Set(mails.compactMap { $0["id"]?.text }) == Set(stored.map { "<\($0)@example.org>" }))
    #expect(Set(mails.compactMap { $0["subject"]?.text }) == ["Inbox: \(text)", "Inbox: ."])
    for mail in mails {
      #expect(mail["to"] == .text("me@example.org"))
      #expect(mail["sender"] == .text("<belfry@example.org>"))
      #expect(mail["auto"] == .text("auto-generated"))
      #expect(mail["defects"] == .array([]))
      #expect(mail["structure"] == .array(["multipart/alternative", "text/plain", "text/html"].map { .text($0) }))
    }
    let first = try #require(mails.first { $0["subject"] == .text("Inbox: \(text)") })
    #expect(first["text"]?.text?.contains(text) == true)
    #expect(first["html"]?.text?.contains("Kühe füttern") == true)
    #expect(first["html"]?.text?.contains("<b>&amp;</b>") == false)
  }
}
