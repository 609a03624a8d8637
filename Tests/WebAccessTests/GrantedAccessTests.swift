import BelfryModel
import BelfryTestKit
import CSQLite
import Digests
import Foundation
import SQLiteStore
import Testing

@testable import WebAccess

@Suite("Who may use the web face")
struct GrantedAccessTests {
  private static let now = Date(timeIntervalSince1970: 1_795_248_000)
  private static let editor = Access.Grant(person: "anna", scope: .edit)

  private let folder: TemporaryFolder
  private let file: AccessFile

  init() throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    file = AccessFile(store: folder.file("store.sqlite"))
  }

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

  @Test("a token is taken until it is revoked, and is nowhere in the file")
  func tokens() throws {
    let text = try file.addToken("laptop", for: Self.editor, at: Self.now)
    #expect(text.wholeMatch(of: /bfy_[A-Za-z0-9_-]{49}/) != nil)
    let access = try #require(try file.token(text, at: Self.now))
    #expect(access.name == "laptop" && access.kind == .token && access.grant == Self.editor)
    for name in try folder.names() {
      let bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
      #expect(bytes.firstRange(of: Data(text.dropFirst(4).prefix(43).utf8)) == nil, "\(name)")
    }
    try file.revoke("laptop")
    #expect(try file.token(text, at: Self.now) == nil)
    #expect(errorKind { try file.revoke("laptop") } == .notFound)
  }

  @Test("no other text is a token: changed, cut, lengthened, without its checksum")
  func otherTexts() throws {
    let text = try file.addToken("laptop", for: Self.editor, at: Self.now)
    for index in text.indices {
      var changed = text
      changed.replaceSubrange(index...index, with: [text[index] == "A" ? "B" : "A"])
      #expect(try file.token(changed, at: Self.now) == nil)
      #expect(try file.token(String(text[..<index]), at: Self.now) == nil)
    }
    let secret = AccessSecret.make()
    for other in ["", "bfy_", text + "A", " " + text, AccessSecret.token(secret), secret, String(text.dropFirst(4))] {
      #expect(try file.token(other, at: Self.now) == nil)
    }
    #expect(try file.session(String(text.dropFirst(4).prefix(43)), at: Self.now) == nil)
  }

  @Test("a name is given once, and the last use is told by the hour")
  func list() throws {
    #expect(try file.list(at: Self.now) == [])
    let text = try file.addToken("laptop", for: Self.editor, at: Self.now)
    let list = UUID()
    _ = try file.addToken("feed", for: Access.Grant(scope: .feed, lists: [list]), at: Self.now)
    #expect(errorKind { try file.addToken("laptop", for: Self.editor, at: Self.now) } == .usage)
    _ = try file.token(text, at: Self.now.addingTimeInterval(5_000))
    let found = try file.list(at: Self.now)
    #expect(found.map(\.name) == ["laptop", "feed"])
    #expect(found.map(\.lastUsedAt) == [Self.now.addingTimeInterval(3_600), nil])
    #expect(found[1].grant.lists == [list] && found[1].expiresAt == nil)
  }

  @Test("a sign-in link is good once and for five minutes, and looking at it uses nothing up")
  func links() throws {
    let link = try file.makeLink(for: Self.editor, at: Self.now)
    let end = Self.now.addingTimeInterval(300)
    #expect(try file.isLinkGood(link, at: end.addingTimeInterval(-1)) && !file.isLinkGood(link, at: end))
    #expect(try file.isLinkGood(link, at: Self.now))
    #expect(try file.openSession(link: link, lasting: 60, at: end) == nil)
    let session = try #require(try file.openSession(link: link, lasting: 60, at: Self.now))
    #expect(try file.openSession(link: link, lasting: 60, at: Self.now) == nil)
    #expect(try !file.isLinkGood(link, at: Self.now))
    #expect(try file.isLinkGood("", at: Self.now) == false)
    let access = try #require(try file.session(session, at: Self.now.addingTimeInterval(59)))
    #expect(access.kind == .session && access.grant == Self.editor && access.name == "session-1")
    #expect(try file.session(session, at: Self.now.addingTimeInterval(60)) == nil)
    #expect(try file.session(link, at: Self.now) == nil && file.token(session, at: Self.now) == nil)
  }

  @Test("with an access ends what was made by it, and what was made by that")
  func makers() throws {
    let token = try file.addToken("laptop", for: Access.Grant(scope: .admin), at: Self.now)
    let maker = try #require(try file.token(token, at: Self.now))
    let link = try file.makeLink(for: Self.editor, by: maker, at: Self.now)
    let session = try #require(try file.openSession(link: link, lasting: 60, at: Self.now))
    let second = try #require(try file.session(session, at: Self.now))
    let open = try file.makeLink(for: Self.editor, by: second, at: Self.now)
    let other = try file.makeLink(for: Self.editor, at: Self.now)
    try file.revoke("laptop")
    #expect(try file.list(at: Self.now) == [] && file.session(session, at: Self.now) == nil)
    #expect(try !file.isLinkGood(open, at: Self.now) && file.isLinkGood(other, at: Self.now))
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

  @Test("of many that use one link at once, one signs in")
  func race() async throws {
    let link = try file.makeLink(for: Self.editor, at: Self.now)
    let sessions = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 1...8 { group.addTask { try file.openSession(link: link, lasting: 60, at: Self.now) } }
      return try await group.reduce(into: [String?]()) { $0.append($1) }
    }
    #expect(sessions.compactMap(\.self).count == 1)
  }

  @Test("sessions are ended by signing out and by their name, and links are not listed")
  func sessions() throws {
    for end in [{ (_, secret) in try file.endSession(secret) }, { (name, _) in try file.revoke(name) }]
      as [(String, String) throws -> Void]
    {
      let link = try file.makeLink(for: Self.editor, at: Self.now)
      #expect(try file.list(at: Self.now) == [])
      let session = try #require(try file.openSession(link: link, lasting: 60, at: Self.now))
      let name = try #require(try file.list(at: Self.now).first).name
      #expect(try file.list(at: Self.now.addingTimeInterval(60)) == [])
      try end(name, session)
      #expect(try file.session(session, at: Self.now) == nil)
    }
  }

  @Test("the file is for its user alone, and one of a newer version or of another kind is refused")
  func files() throws {
    _ = try file.makeLink(for: Self.editor, at: Self.now)
    for name in try folder.names() {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
    try file.write { try $0.execute("PRAGMA user_version = 99") }
    #expect(errorKind { try file.list(at: Self.now) } == .storeFailed)
    for name in try folder.names() { try FileManager.default.removeItem(atPath: folder.file(name)) }
    try Data("not a database, whatever its name may say".utf8).write(to: URL(filePath: file.path))
    #expect(errorKind { try file.list(at: Self.now) } == .storeFailed)
    #expect(errorKind { try file.makeLink(for: Self.editor, at: Self.now) } == .storeFailed)
  }

  @Test("a paused link is paused until its end, others are not, and its identity is nowhere in the file")
  func pause() throws {
    #expect(try file.pauseEnd(ofLink: "this link", at: Self.now) == nil)
    let end = Self.now.addingTimeInterval(600)
    try file.pause(link: "this link", until: Self.now.addingTimeInterval(1), at: Self.now)
    try file.pause(link: "this link", until: end, at: Self.now)
    #expect(try file.pauseEnd(ofLink: "this link", at: end.addingTimeInterval(-1)) == end)
    #expect(try file.pauseEnd(ofLink: "this link", at: end) == nil)
    #expect(try file.pauseEnd(ofLink: "another", at: Self.now) == nil)
    for name in try folder.names() {
      let bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
      #expect(bytes.firstRange(of: Data("this link".utf8)) == nil, "\(name)")
    }
  }

  @Test("a destination is kept under its secret until its end; the latest thousand are")
  func destinations() throws {
    let end = Self.now.addingTimeInterval(900)
    let first = Destination(reminder: UUID(), action: 4, person: "anna")
    let secret = try file.keep(first, until: end, at: Self.now)
    let plain = Destination(reminder: UUID(), action: nil)
    let other = try file.keep(plain, until: end, at: Self.now)
    #expect(try file.destination(secret, at: Self.now) == first)
    #expect(try file.destination(other, at: end.addingTimeInterval(-1)) == plain)
    #expect(try file.destination(secret, at: end) == nil)
    #expect(try file.destination("", at: Self.now) == nil)
    for _ in 1...999 { _ = try file.keep(plain, until: end, at: Self.now) }
    #expect(try file.destination(secret, at: Self.now) == nil && file.destination(other, at: Self.now) == plain)
  }

  @Test("a file of the version before gets what it lacks, and keeps its tokens")
  func earlierVersion() throws {
    let text = try file.addToken("laptop", for: Self.editor, at: Self.now)
    let lacking = """
      DROP TABLE destination; DROP TABLE paused_link; DROP TABLE passkey; ALTER TABLE access DROP COLUMN maker;
      PRAGMA user_version = 1;
      """
    try Database(path: file.path, SQLITE_OPEN_READWRITE).execute(lacking)
    try file.pause(link: "link", until: Self.now.addingTimeInterval(600), at: Self.now)
    #expect(try file.token(text, at: Self.now) != nil && file.pauseEnd(ofLink: "link", at: Self.now) != nil)
  }
}
