import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import MessageText
import MustacheTemplates
import Testing

@testable import EmailSink

@Suite("Links in a mail")
struct EmailLinkTests {
  private static let actions = [
    CategoryAction(identifier: "delete", title: "Delete <it>", operation: .delete),
    CategoryAction(identifier: "done", title: "Done & dusted", operation: .check),
    CategoryAction(identifier: "later", title: "Later", operation: .snooze(ActionOperation.usualSnooze)),
  ]

  private func attempt(_ texts: [String] = ["Buy milk"]) throws -> DeliveryAttempt {
    Mailing.attempt(
      try texts.enumerated().map { try Mailing.content($1, id: Int64($0 + 1), actions: Self.actions) }
    ).linked
  }

  @Test("the text has one line for each reminder, in place of commands")
  func text() async throws {
    let attempt = try attempt(["Buy milk", "Buy bread"])
    let text = try await Mailing.mail(attempt).text
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("Answer: ") }
    #expect(lines.map(String.init) == attempt.links.map { "Answer: \($0.answerURL)" })
    #expect(Set(lines).count == 2 && !text.contains("belfry act"))
  }

  @Test("the HTML has a button for each action, destructive ones behind all others, and a link to the page")
  func html() async throws {
    let attempt = try attempt(["Buy milk", "Buy bread"])
    let html = try #require(try await Mailing.mail(attempt).html)
    let targets = html.matches(of: #/href="([^"]*)"/#).map { String($0.output.1) }
    let expected = attempt.links.flatMap { links in
      [links.actions[1].url, links.actions[2].url, links.answerURL, links.actions[0].url]
    }
    #expect(targets == expected)
    #expect(html.contains(">Done &amp; dusted</a>") && html.contains(">Delete &lt;it&gt;</a> (destructive)"))
    #expect(!html.contains("belfry act") && !html.contains("<form") && !html.contains("<img"))
  }

  @Test("no header names a link, and none offers to unsubscribe")
  func headers() async throws {
    for attempt in [try attempt(), try attempt(["a", "b"])] {
      let fields = try await Mailing.mail(attempt).fields
      #expect(!fields.contains { $0.name.lowercased().hasPrefix("list-") || $0.value.contains("/a/") })
    }
  }

  @Test("a mail is the same to the byte at each attempt, and without links as ever")
  func same() async throws {
    let attempt = try attempt()
    let mails = [try await Mailing.mail(attempt), try await Mailing.mail(attempt)]
    #expect(mails[0].text == mails[1].text && mails[0].html == mails[1].html)
    let plain = try await Mailing.mail(Mailing.attempt([try Mailing.content(actions: Self.actions)]))
    #expect(plain.text.contains("belfry act") && plain.html?.contains("href") == false)
  }

  @Test("a template has the links by name")
  func template() async throws {
    let attempt = try attempt()
    let mail = try await Mailing.mail(attempt) {
      $0.text = try Template(
        "{{answer_url}}{{#actions}} {{link}}{{/actions}}", escaping: .text, language: MustacheLanguage())
    }
    let urls = [attempt.links[0].answerURL] + attempt.links[0].actions.map(\.url)
    #expect(mail.text.hasPrefix(urls.joined(separator: " ")))
  }
}
