import BelfryModel
import BelfryTestKit
import Digests
import Foundation
import Testing

@testable import WebAccess

@Suite("Who may use the web face")
struct GrantedAccessTests {
  private static let now = Date(timeIntervalSince1970: 1_795_248_000)
  private static let editor = Access.Grant(person: "anna", scope: .edit)

  @Test("SHA-256 equals FIPS 180-2")
  func digest() {
    let hexadecimal = SHA256.digest(Array("abc".utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(hexadecimal == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test("each scope includes those before it, and feed is apart")
  func scopes() {
    let included: [AccessScope: Set<AccessScope>] = [
      .read: [.read], .answer: [.read, .answer], .edit: [.read, .answer, .edit],
      .admin: [.read, .answer, .edit, .admin], .feed: [.feed],
    ]
    for (scope, expected) in included {
      #expect(Set(AccessScope.allCases.filter(scope.includes)) == expected, "\(scope)")
    }
  }

  @Test("a right without lists is for all of them, one with lists for those")
  func lists() {
    let (one, other) = (UUID(), UUID())
    let limited = Access.Grant(scope: .admin, lists: [one])
    #expect(!limited.isForAllLists && limited.includes(list: one) && !limited.includes(list: other))
    #expect(Self.editor.isForAllLists && Self.editor.includes(list: other))
  }

  @Test(
    "two secrets are equal or not",
    arguments: [("", "", true), ("a", "a", true), ("a", "b", false), ("a", "aa", false)])
  func equality(one: String, other: String, isEqual: Bool) {
    #expect(AccessSecret.areEqual(one, other) == isEqual)
  }

  @Test("a token is taken until it is revoked, and is nowhere in the tables", arguments: AccessForm.allCases)
  func tokens(form: AccessForm) throws {
    let fixture = try form.makeFixture()
    let tables = try fixture.open()
    let text = try tables.addToken("laptop", for: Self.editor, at: Self.now)
    #expect(text.wholeMatch(of: /bfy_[A-Za-z0-9_-]{49}/) != nil)
    let access = try #require(try tables.token(text, at: Self.now))
    #expect(access.name == "laptop" && access.kind == .token && access.grant == Self.editor)
    #expect(try !fixture.contains(text.dropFirst(4).prefix(43)))
    try tables.revoke("laptop")
    #expect(try tables.token(text, at: Self.now) == nil)
    #expect(errorKind { try tables.revoke("laptop") } == .notFound)
  }

  @Test("no other text is a token: changed, cut, lengthened, without its checksum", arguments: AccessForm.allCases)
  func otherTexts(form: AccessForm) throws {
    let fixture = try form.makeFixture()
    let tables = try fixture.open()
    let text = try tables.addToken("laptop", for: Self.editor, at: Self.now)
    for index in text.indices {
      var changed = text
      changed.replaceSubrange(index...index, with: [text[index] == "A" ? "B" : "A"])
      #expect(try tables.token(changed, at: Self.now) == nil)
      #expect(try tables.token(String(text[..<index]), at: Self.now) == nil)
    }
    let secret = AccessSecret.make()
    for other in ["", "bfy_", text + "A", " " + text, AccessSecret.token(secret), secret, String(text.dropFirst(4))] {
      #expect(try tables.token(other, at: Self.now) == nil)
    }
    #expect(try tables.session(String(text.dropFirst(4).prefix(43)), at: Self.now) == nil)
  }

  @Test("a name is given once, and the last use is told by the hour", arguments: AccessForm.allCases)
  func list(form: AccessForm) throws {
    let fixture = try form.makeFixture()
    let tables = try fixture.open()
    #expect(try tables.list(at: Self.now) == [])
    let text = try tables.addToken("laptop", for: Self.editor, at: Self.now)
    let list = UUID()
    _ = try tables.addToken("feed", for: Access.Grant(scope: .feed, lists: [list]), at: Self.now)
    #expect(errorKind { try tables.addToken("laptop", for: Self.editor, at: Self.now) } == .usage)
    _ = try tables.token(text, at: Self.now.addingTimeInterval(5_000))
    let found = try tables.list(at: Self.now)
    #expect(found.map(\.name) == ["laptop", "feed"])
    #expect(found.map(\.lastUsedAt) == [Self.now.addingTimeInterval(3_600), nil])
    #expect(found[1].grant.lists == [list] && found[1].expiresAt == nil)
  }

  @Test(
    "a sign-in link is good once and for five minutes, and looking at it uses nothing up",
    arguments: AccessForm.allCases)
  func links(form: AccessForm) throws {
    let fixture = try form.makeFixture()
    let tables = try fixture.open()
    let link = try tables.makeLink(for: Self.editor, at: Self.now)
    let end = Self.now.addingTimeInterval(300)
    #expect(try tables.isLinkGood(link, at: end.addingTimeInterval(-1)) && !tables.isLinkGood(link, at: end))
    #expect(try tables.isLinkGood(link, at: Self.now))
    #expect(try tables.openSession(link: link, lasting: 60, at: end) == nil)
    let session = try #require(try tables.openSession(link: link, lasting: 60, at: Self.now))
    #expect(try tables.openSession(link: link, lasting: 60, at: Self.now) == nil)
    #expect(try !tables.isLinkGood(link, at: Self.now))
    #expect(try tables.isLinkGood("", at: Self.now) == false)
    let access = try #require(try tables.session(session, at: Self.now.addingTimeInterval(59)))
    #expect(access.kind == .session && access.grant == Self.editor && access.name == "session-1")
    #expect(try tables.session(session, at: Self.now.addingTimeInterval(60)) == nil)
    #expect(try tables.session(link, at: Self.now) == nil && tables.token(session, at: Self.now) == nil)
  }

  @Test("with an access ends what was made by it, and what was made by that", arguments: AccessForm.allCases)
  func makers(form: AccessForm) throws {
    let fixture = try form.makeFixture()
    let tables = try fixture.open()
    let token = try tables.addToken("laptop", for: Access.Grant(scope: .admin), at: Self.now)
    let maker = try #require(try tables.token(token, at: Self.now))
    let link = try tables.makeLink(for: Self.editor, by: maker, at: Self.now)
    let session = try #require(try tables.openSession(link: link, lasting: 60, at: Self.now))
    let second = try #require(try tables.session(session, at: Self.now))
    let open = try tables.makeLink(for: Self.editor, by: second, at: Self.now)
    let other = try tables.makeLink(for: Self.editor, at: Self.now)
    try tables.revoke("laptop")
    #expect(try tables.list(at: Self.now) == [] && tables.session(session, at: Self.now) == nil)
    #expect(try !tables.isLinkGood(open, at: Self.now) && tables.isLinkGood(other, at: Self.now))
  }

  @Test("an access is open to whoever decides about all, and to its person where it permits no more")
  func openness() throws {
    let session = { (name: String, grant: Access.Grant) in
      Access(
        name: name, label: nil, kind: .session, grant: grant, madeAt: Self.now, lastUsedAt: nil, expiresAt: nil)
    }
    let anna = session("a", Self.editor)
    #expect(anna.isOpen(to: anna) && anna.isOpen(to: session("b", Self.editor)))
    #expect(anna.isOpen(to: session("b", Access.Grant(scope: .admin))))
    let strangers = [
      Access.Grant(person: "anna", scope: .answer), Access.Grant(person: "ben", scope: .edit),
      Access.Grant(scope: .edit), Access.Grant(person: "anna", scope: .admin, lists: [UUID()]),
    ]
    for grant in strangers { #expect(!anna.isOpen(to: session("b", grant)), "\(grant)") }
    #expect(!session("a", Access.Grant(scope: .read)).isOpen(to: session("b", Access.Grant(scope: .read))))
  }

  @Test("of many that use one link at once, one signs in", arguments: AccessForm.allCases)
  func race(form: AccessForm) async throws {
    let fixture = try form.makeFixture()
    let tables = try fixture.open()
    let link = try tables.makeLink(for: Self.editor, at: Self.now)
    let sessions = try await withThrowingTaskGroup(of: String?.self) { group in
      // Half of them on the connections of other programs.
      for number in 1...8 {
        let tables = number > 4 ? tables : try fixture.open()
        group.addTask { try tables.openSession(link: link, lasting: 60, at: Self.now) }
      }
      return try await group.reduce(into: [String?]()) { $0.append($1) }
    }
    #expect(sessions.compactMap(\.self).count == 1)
  }

  @Test("sessions are ended by signing out and by their name, and links are not listed", arguments: AccessForm.allCases)
  func sessions(form: AccessForm) throws {
    let fixture = try form.makeFixture()
    let tables = try fixture.open()
    for end in [{ (_, secret) in try tables.endSession(secret) }, { (name, _) in try tables.revoke(name) }]
      as [(String, String) throws -> Void]
    {
      let link = try tables.makeLink(for: Self.editor, at: Self.now)
      #expect(try tables.list(at: Self.now) == [])
      let session = try #require(try tables.openSession(link: link, lasting: 60, at: Self.now))
      let name = try #require(try tables.list(at: Self.now).first).name
      #expect(try tables.list(at: Self.now.addingTimeInterval(60)) == [])
      try end(name, session)
      #expect(try tables.session(session, at: Self.now) == nil)
    }
  }

  @Test(
    "a paused link is paused until its end, others are not, and its identity is nowhere in the tables",
    arguments: AccessForm.allCases)
  func pause(form: AccessForm) throws {
    let fixture = try form.makeFixture()
    let tables = try fixture.open()
    #expect(try tables.pauseEnd(ofLink: "this link", at: Self.now) == nil)
    let end = Self.now.addingTimeInterval(600)
    try tables.pause(link: "this link", until: Self.now.addingTimeInterval(1), at: Self.now)
    try tables.pause(link: "this link", until: end, at: Self.now)
    #expect(try tables.pauseEnd(ofLink: "this link", at: end.addingTimeInterval(-1)) == end)
    #expect(try tables.pauseEnd(ofLink: "this link", at: end) == nil)
    #expect(try tables.pauseEnd(ofLink: "another", at: Self.now) == nil)
    #expect(try !fixture.contains("this link"))
  }

  @Test("a destination is kept under its secret until its end; the latest thousand are", arguments: AccessForm.allCases)
  func destinations(form: AccessForm) throws {
    let fixture = try form.makeFixture()
    let tables = try fixture.open()
    let end = Self.now.addingTimeInterval(900)
    let first = Destination(reminder: UUID(), action: 4, person: "anna")
    let secret = try tables.keep(first, until: end, at: Self.now)
    let plain = Destination(reminder: UUID(), action: nil)
    let other = try tables.keep(plain, until: end, at: Self.now)
    #expect(try tables.destination(secret, at: Self.now) == first)
    #expect(try tables.destination(other, at: end.addingTimeInterval(-1)) == plain)
    #expect(try tables.destination(secret, at: end) == nil)
    #expect(try tables.destination("", at: Self.now) == nil)
    for _ in 1...999 { _ = try tables.keep(plain, until: end, at: Self.now) }
    #expect(try tables.destination(secret, at: Self.now) == nil && tables.destination(other, at: Self.now) == plain)
  }

  @Test("what is good once is used up until its end, for every server", arguments: AccessForm.allCases)
  func spending(form: AccessForm) throws {
    let fixture = try form.makeFixture()
    let (tables, others) = (try fixture.open(), try fixture.open())
    let end = Self.now.addingTimeInterval(60)
    #expect(try tables.spend("a very secret challenge", until: end, at: Self.now))
    #expect(try !others.spend("a very secret challenge", until: end, at: end.addingTimeInterval(-1)))
    #expect(try others.spend("another", until: end, at: Self.now))
    #expect(try !fixture.contains("very secret"))
    let later = end.addingTimeInterval(60)
    #expect(try tables.spend("a very secret challenge", until: later, at: end))
    // The clock has been set back since.
    #expect(try tables.spend("a very secret challenge", until: end, at: Self.now))
    #expect(try !tables.spend("a very secret challenge", until: later, at: Self.now))
  }

  @Test("failures are counted by the minute where several servers may run")
  func failures() throws {
    let fixture = try PostgresAccessFixture()
    let (tables, others) = (try fixture.open(), try fixture.open())
    #expect(try tables.countFailure("link 192.0.2.1", inMinute: 7) == 1)
    #expect(try others.countFailure("link 192.0.2.1", inMinute: 7) == 2)
    #expect(try others.countFailure("link 192.0.2.2", inMinute: 7) == 1)
    #expect(try tables.countFailure("link 192.0.2.1", inMinute: 8) == 1)
    #expect(try !fixture.contains("192.0.2"))
    #expect(try FileAccessFixture().open().countFailure("link 192.0.2.1", inMinute: 7) == nil)
  }

  @Test("every server has the same sealing key", arguments: AccessForm.allCases)
  func sealing(form: AccessForm) throws {
    let fixture = try form.makeFixture()
    let key = try fixture.open().sealingKey()
    #expect(try key.count == 32 && fixture.open().sealingKey() == key)
  }
}
