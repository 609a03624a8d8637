import BelfryTestKit
import Foundation
import Testing

@testable import WebAccess

@Suite("Passkeys in the file of access")
struct StoredPasskeyTests {
  private static let now = Date(timeIntervalSince1970: 1_795_248_000)
  private static let editor = Access.Grant(person: "anna", scope: .edit)

  private let folder: TemporaryFolder
  private let file: AccessFile

  init() throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    file = AccessFile(store: folder.file("store.sqlite"))
  }

  private func add(_ credential: [UInt8] = [1, 2], counter: UInt32 = 5) throws {
    let passkey = Passkey(credential: credential, key: [7, 7, 7, 7], counter: counter)
    try file.add(passkey, label: "phone", for: Self.editor, at: Self.now)
  }

  private func open(_ counter: UInt32) throws -> String? {
    try file.openSession(passkey: [1, 2], counter: counter, lasting: 60, at: Self.now)
  }

  @Test("one is kept once, listed by its label, and found by its identity")
  func kept() throws {
    #expect(try file.passkey([1, 2]) == nil && file.passkeys(of: Self.editor) == [])
    try add()
    #expect(errorKind { try add() } == .usage)
    try add([3])
    #expect(try file.passkey([1, 2]) == Passkey(credential: [1, 2], key: [7, 7, 7, 7], counter: 5))
    #expect(try file.passkey([2, 1]) == nil && file.passkey([]) == nil)
    #expect(try file.passkeys(of: Self.editor) == [[1, 2], [3]])
    #expect(try file.passkeys(of: Access.Grant(scope: .edit)) == [])
    let found = try file.list(at: Self.now)
    #expect(found.map(\.name) == ["passkey-1", "passkey-2"] && found.map(\.label) == ["phone", "phone"])
    #expect(found[0].kind == .passkey && found[0].grant == Self.editor && found[0].lastUsedAt == nil)
  }

  @Test("it begins a session with its right, and both end together")
  func session() throws {
    try add()
    let secret = try #require(try open(6))
    let session = try #require(try file.session(secret, at: Self.now))
    #expect(session.grant == Self.editor && session.kind == .session && session.madeAt == Self.now)
    #expect(try file.list(at: Self.now).first?.lastUsedAt == Self.now)
    try file.revoke("passkey-1")
    #expect(try file.session(secret, at: Self.now) == nil && file.passkey([1, 2]) == nil)
    #expect(try open(7) == nil && file.list(at: Self.now) == [])
    try add()
  }

  @Test("a session that ends leaves the passkey")
  func sessionEnds() throws {
    try add()
    let secret = try #require(try open(6))
    try file.endSession(secret)
    #expect(try open(7) != nil)
    try file.revoke("session-3")
    #expect(try open(8) != nil)
  }

  @Test("an authenticator that counts backwards, or stays, may be a copy")
  func counter() throws {
    try add()
    for counter in [0, 4, 5] as [UInt32] { #expect(try open(counter) == nil, "\(counter)") }
    #expect(try open(6) != nil && open(6) == nil && open(.max) != nil && open(7) == nil)
  }

  @Test("one that never counts is taken, until it begins to")
  func uncounted() throws {
    try add(counter: 0)
    #expect(try open(0) != nil && open(0) != nil && open(1) != nil && open(0) == nil)
  }

  @Test("a passkey opens nothing by itself")
  func noToken() throws {
    try add()
    for text in ["AQI", "passkey-1", ""] {
      #expect(try file.session(text, at: Self.now) == nil && file.token(text, at: Self.now) == nil)
    }
  }
}
