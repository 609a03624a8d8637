import AnswerTokens
import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import Synchronization
import Testing

@testable import BelfryDaemon

@Suite("Links signed by the key ring")
struct SignedLinksTests {
  private final class Log: Sendable {
    let events = Mutex<[Event]>([])
  }

  private static let week = 7 * 86_400
  private let folder: TemporaryFolder
  private let file: KeyRingFile
  private let log = Log()

  init() throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    file = KeyRingFile(path: folder.file("answer-keys"))
  }

  private var messages: [String] { log.events.withLock { $0.map(\.message) } }

  private func makeLinks() -> SignedLinks {
    SignedLinks(file: file, publicURL: "https://belfry.example.org", validFor: Self.week) { [log] event in
      log.events.withLock { $0.append(event) }
    }
  }

  private func tokens(_ links: SignedLinks, at now: Date = Sample.now, isKeyInUse: Bool = false) throws
    -> MessageTokens?
  {
    try links.tokens(claimedAt: now, retryMaxAge: 86_400) { isKeyInUse }
  }

  private func message(
    _ tokens: MessageTokens?, to person: Int64 = 0, actions: [OfferedAction] = []
  ) throws -> Message {
    let plain = try Sample.message()
    let content = try #require(plain.contents.first)
    return Message(
      id: plain.id, sink: plain.sink, person: person,
      contents: [
        ReminderContent(
          reminderID: content.reminderID, fireDate: content.fireDate, alert: content.alert, subject: content.subject,
          category: nil, actions: actions.isEmpty ? content.actions : actions, timeZone: "UTC")
      ], createdAt: plain.createdAt, tokens: tokens)
  }

  @Test("the ring is made at the first claim, and each token verifies as what it says")
  func made() throws {
    let links = makeLinks()
    #expect(try file.read() == nil)
    let tokens = try #require(try tokens(links))
    let ring = try #require(try file.read())
    #expect(tokens.key == ring.signingKey)
    let message = try message(tokens)
    let found = try #require(links.links(of: message).first)
    #expect(found.answerURL.hasPrefix("https://belfry.example.org/a/"))
    let urls = [found.answerURL] + found.actions.map(\.url)
    #expect(urls.count == 3)
    for (number, url) in urls.enumerated() {
      let token = try ring.verify(String(url.suffix(54)), for: .link, at: Sample.now)
      #expect(token.reminder == message.contents.first?.reminderID && token.person == 0)
      #expect(Int(token.action) == number)
      #expect(token.expiry.date >= Sample.now + Double(Self.week))
      #expect(token.expiry.date < Sample.now + Double(Self.week) + 3_600)
    }
    #expect(found.actions.map(\.token) == found.actions.map { String($0.url.suffix(54)) })
    #expect(messages == [])
  }

  @Test("the tokens of a message to one person name them, in links and buttons")
  func person() throws {
    let links = makeLinks()
    let message = try message(try tokens(links), to: KnownPerson.highestNumber)
    let ring = try #require(try file.read())
    let link = try #require(links.links(of: message).first?.actions.first?.token)
    #expect(try ring.verify(link, for: .link, at: Sample.now).person == UInt16(KnownPerson.highestNumber))
    let button = try #require(links.buttons(of: message, over: .phone).first?.first ?? nil)
    #expect(try links.press(button, over: .phone, at: Sample.now).author == .number(KnownPerson.highestNumber))
  }

  @Test("no token alone carries out what destroys, asks for a sign-in or only opens; its link is there")
  func withoutTokens() throws {
    let links = makeLinks()
    let actions = [
      OfferedAction(identifier: "done", title: "Done", operation: .check),
      OfferedAction(identifier: "old", title: "Of an old version"),
      OfferedAction(identifier: "edit", title: "Edit", operation: .edit),
      OfferedAction(identifier: "safe", title: "Safe", requiresAuthentication: true, operation: .check),
      OfferedAction(identifier: "delete", title: "Delete", operation: .delete),
      OfferedAction(identifier: "odd", title: "Odd", isDestructive: true, operation: .acknowledge),
    ]
    let found = try #require(links.links(of: try message(try tokens(links), actions: actions)).first)
    #expect(found.actions.map { $0.token != nil } == [true, true, false, false, false, false])
    #expect(Set(found.actions.map(\.url)).count == actions.count)
  }

  @Test("a message keeps its links across rotations, also in another process; a new one gets the new key")
  func rotated() throws {
    let links = makeLinks()
    let message = try message(try tokens(links))
    let first = links.links(of: message)
    _ = try file.rotate(at: Sample.now, validFor: Self.week, retryMaxAge: 86_400)
    #expect(links.links(of: message) == first)
    #expect(makeLinks().links(of: message) == first)
    #expect(try tokens(links)?.key == 1)
  }

  @Test("a ring that is gone while a message names a key is not made anew, which is logged once; a copy ends that")
  func lost() throws {
    let links = makeLinks()
    let message = try message(try tokens(links))
    let first = links.links(of: message)
    let copy = try Data(contentsOf: URL(filePath: file.path))
    try FileManager.default.removeItem(atPath: file.path)
    for second in 0..<3 {
      #expect(try tokens(links, at: Sample.now + Double(second), isKeyInUse: true) == nil)
      #expect(links.links(of: message) == [])
    }
    #expect(try file.read() == nil)
    #expect(messages.count == 1 && messages[0].contains("without links") && messages[0].contains(file.path))
    try copy.write(to: URL(filePath: file.path))
    #expect(chmod(file.path, 0o600) == 0)
    #expect(links.links(of: message) == first)
    #expect(try tokens(links, isKeyInUse: true)?.key == 0)
  }

  @Test("a lost ring is looked for in the store once an hour, and made anew when no message names a key")
  func forgotten() throws {
    let links = makeLinks()
    let asked = Mutex(0)
    for minute in stride(from: 0.0, to: 180, by: 1) {
      _ = try links.tokens(claimedAt: Sample.now + minute * 60, retryMaxAge: 0) {
        asked.withLock { $0 += 1 }
        return true
      }
    }
    #expect(asked.withLock { $0 } == 3)
    #expect(try tokens(links, at: Sample.now + 180 * 60) != nil)
  }

  @Test("a file that cannot be used is never replaced, is logged once, and counts again when it is mended")
  func unusable() throws {
    let links = makeLinks()
    let message = try message(try tokens(links))
    let first = links.links(of: message)
    let copy = try Data(contentsOf: URL(filePath: file.path))
    try Data("nonsense".utf8).write(to: URL(filePath: file.path))
    for _ in 1...3 {
      #expect(try tokens(links) == nil)
      #expect(links.links(of: message) == [])
    }
    #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "nonsense")
    #expect(messages.count == 1 && messages[0].contains(file.path))
    try copy.write(to: URL(filePath: file.path))
    #expect(chmod(file.path, 0o644) == 0)
    #expect(links.links(of: message) == [])
    #expect(messages.count == 2 && messages[1].contains("chmod 600"))
    #expect(chmod(file.path, 0o600) == 0)
    #expect(links.links(of: message) == first)
  }

  @Test("an error of the store is the claim's")
  func storeFails() {
    #expect(throws: CancellationError.self) {
      _ = try makeLinks().tokens(claimedAt: Sample.now, retryMaxAge: 0) { throw CancellationError() }
    }
  }
}
