import BelfryModel
import BelfryTestKit
import Foundation
import SQLiteStore
import Testing

@testable import WebAccess

@Suite("The access file that a server keeps open")
struct KeptFileTests {
  private static let now = Date(timeIntervalSince1970: 1_795_248_000)
  private static let editor = Access.Grant(person: "anna", scope: .edit)

  private let folder: TemporaryFolder
  private let file: AccessFile
  private let kept: AccessStore
  /// The same file, as a command opens it.
  private let other: AccessStore

  init() throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    file = AccessFile(store: folder.file("store.sqlite"), keepsOpen: true)
    kept = AccessStore(file)
    other = AccessStore(AccessFile(store: folder.file("store.sqlite")))
  }

  @Test("what another program writes counts at once")
  func changes() throws {
    #expect(try kept.list(at: Self.now).isEmpty)
    let text = try other.addToken("laptop", for: Self.editor, at: Self.now)
    #expect(try kept.token(text, at: Self.now)?.name == "laptop")
    let own = try kept.addToken("phone", for: Self.editor, at: Self.now)
    #expect(try other.token(own, at: Self.now)?.name == "phone")
    try other.revoke("laptop")
    #expect(try kept.token(text, at: Self.now) == nil && kept.token(own, at: Self.now) != nil)
  }

  @Test("a file that was put away is gone at once, and one put in its place counts")
  func replaced() throws {
    let text = try kept.addToken("laptop", for: Self.editor, at: Self.now)
    try FileManager.default.moveItem(atPath: file.path, toPath: folder.file("away"))
    #expect(try kept.token(text, at: Self.now) == nil)
    let new = try kept.addToken("phone", for: Self.editor, at: Self.now)
    #expect(try kept.list(at: Self.now).map(\.name) == ["phone"])
    try FileManager.default.removeItem(atPath: file.path)
    try FileManager.default.moveItem(atPath: folder.file("away"), toPath: file.path)
    #expect(try kept.token(text, at: Self.now) != nil && kept.token(new, at: Self.now) == nil)
  }

  @Test("a change of the store waits for no thread that has the file, and only briefly for another program")
  func withinChange() throws {
    let access = Access(
      name: "laptop", label: nil, kind: .token, grant: Self.editor, madeAt: Self.now, lastUsedAt: nil, expiresAt: nil)
    let (request, reply) = (OnceRequest(key: "key", from: access, content: "add"), KeptReply(status: 201, body: "{}\n"))
    let store = SQLiteStore(path: folder.file("store.sqlite"))
    func keep() throws {
      try store.write { try kept.keep([.init(reply: reply, request: request, began: Self.now)], in: $0) }
    }
    for tables in [kept, other] {
      try tables.write { _ in #expect(errorKind { try keep() } == .tryAgain) }
      #expect(try kept.reply(to: request) == nil)
    }
    try keep()
    #expect(try kept.reply(to: request) == reply)
  }

  @Test("after an error it is opened anew, and a newer version's is refused while it is open")
  func faults() throws {
    let text = try kept.addToken("laptop", for: Self.editor, at: Self.now)
    #expect(errorKind { try kept.addToken("laptop", for: Self.editor, at: Self.now) } != nil)
    #expect(try kept.token(text, at: Self.now) != nil)
    try other.write { try $0.statement("PRAGMA user_version = 99").execute() }
    #expect(errorKind { try kept.token(text, at: Self.now) } == .storeFailed)
    try FileManager.default.removeItem(atPath: file.path)
    #expect(try kept.list(at: Self.now).isEmpty)
  }
}
