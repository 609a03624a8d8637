import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel

/// The people to whom replies belong. Three items have rung at 10:00.
@Suite struct ReplyAuthorTests {
  private let people = [
    Person(name: "anna", sinks: ["phone", "chat"]), Person(name: "ben", sinks: ["other-chat", "shared"]),
    Person(name: "carl", sinks: ["shared", "desk"]),
  ]

  private func authors() throws -> ReplyAuthors {
    var settings = Settings()
    settings.people = people
    let sinks = [("phone", nil), ("chat", "user 1"), ("other-chat", "user 2"), ("shared", "user 3"), ("desk", nil)]
    return ReplyAuthors(
      settings, sinks: sinks.map { ActiveSink(name: $0, sink: RecordingSink(correspondent: $1)) })
  }

  @Test("a sender is the one person with a sink of that identity")
  func senders() throws {
    let authors = try authors()
    let expected: [String?: Press.Author?] = [
      "user 1": .name("anna"), "user 2": .name("ben"), "user 3": nil, "user 4": nil, nil: nil,
    ]
    for (sender, author) in expected {
      #expect(authors.author(of: Reply(.token("token"), sender: sender), over: "phone") == author, "\(sender ?? "")")
    }
  }

  @Test("a button without a token belongs to whom the sink reaches alone")
  func owners() throws {
    let authors = try authors()
    let reply = Reply(.action(1, of: Sample.uuid("reminder")))
    #expect(authors.author(of: reply, over: "desk") == .name("carl"))
    #expect(authors.author(of: reply, over: "shared") == nil)
    #expect(authors.author(of: reply, over: "gone") == nil)
    #expect(authors.author(of: Reply(reply.button, sender: "user 2"), over: "desk") == .name("ben"))
  }

  @Test("an answer is of the sender, else of the person that its token names; the store numbers names at first use")
  func answers() throws {
    let fixture = try InboxFixture()
    let inbox = try fixture.inbox(authors())
    let replies = [
      Reply(.token(try fixture.token(.check, 1)), sender: "user 2"),
      Reply(.token(try fixture.token(.check, 2) + " 7"), sender: "user 4"),
      Reply(.token(try fixture.token(.check, 3) + " 7"), sender: "user 1"),
    ]
    _ = try inbox.take(replies, position: "1")
    #expect(try fixture.answers.answers().map(\.person) == [1, 7, 2])
    #expect(try fixture.answers.engine.store.read { try $0.people().map(\.name) } == ["ben", "anna"])
  }

  @Test("a press that comes in again keeps its author, and numbers nobody")
  func repetition() throws {
    let fixture = try InboxFixture()
    let inbox = try fixture.inbox(authors())
    for sender in ["user 2", "user 1"] {
      _ = try inbox.take([Reply(.token(try fixture.token(.check)), sender: sender)], position: "1")
    }
    #expect(try fixture.answers.answers().map(\.person) == [1])
    #expect(try fixture.answers.engine.store.read { try $0.people().map(\.name) } == ["ben"])
  }

  @Test("the addresses that a sink gets are those of the people who have it")
  func addresses() throws {
    var settings = Settings()
    settings.people = [
      Person(name: "anna", sinks: ["mail", "phone"], address: "anna@example.org"),
      Person(name: "ben", sinks: ["mail"], address: "ben@example.org"), Person(name: "carl", sinks: ["mail"]),
    ]
    #expect(settings.addresses(throughSink: "mail") == ["anna@example.org", "ben@example.org"])
    #expect(settings.addresses(throughSink: "phone") == ["anna@example.org"])
    #expect(settings.addresses(throughSink: "desk").isEmpty)
  }
}
