import BelfryTestKit
import Foundation
import Testing

@testable import WebAccess

@Suite("Passkeys of those who may use the web face")
struct StoredPasskeyTests {
  private static let now = Date(timeIntervalSince1970: 1_795_248_000)
  private static let editor = Access.Grant(person: "anna", scope: .edit)

  private func add(
    _ credential: [UInt8] = [1, 2], counter: UInt32 = 5, to tables: AccessStore
  ) throws {
    let passkey = Passkey(credential: credential, key: [7, 7, 7, 7], counter: counter)
    try tables.add(passkey, label: "phone", for: Self.editor, at: Self.now)
  }

  private func open(_ counter: UInt32, _ tables: AccessStore) throws -> String? {
    try tables.openSession(passkey: [1, 2], counter: counter, lasting: 60, at: Self.now)
  }

  @Test("one is kept once, listed by its label, and found by its identity", arguments: AccessForm.allCases)
  func kept(form: AccessForm) throws {
    let fixture = try form.makeFixture()
    let tables = try fixture.open()
    #expect(try tables.passkey([1, 2]) == nil && tables.passkeys(of: Self.editor) == [])
    try add(to: tables)
    #expect(errorKind { try add(to: tables) } == .usage)
    try add([3], to: tables)
    #expect(try tables.passkey([1, 2]) == Passkey(credential: [1, 2], key: [7, 7, 7, 7], counter: 5))
    #expect(try tables.passkey([2, 1]) == nil && tables.passkey([]) == nil)
    #expect(try tables.passkeys(of: Self.editor) == [[1, 2], [3]])
    #expect(try tables.passkeys(of: Access.Grant(scope: .edit)) == [])
    let found = try tables.list(at: Self.now)
    #expect(found.map(\.name) == ["passkey-1", "passkey-2"] && found.map(\.label) == ["phone", "phone"])
    #expect(found[0].kind == .passkey && found[0].grant == Self.editor && found[0].lastUsedAt == nil)
  }

  @Test("it begins a session with its right, and both end together", arguments: AccessForm.allCases)
  func session(form: AccessForm) throws {
    let fixture = try form.makeFixture()
    let tables = try fixture.open()
    try add(to: tables)
    let secret = try #require(try open(6, tables))
    let session = try #require(try tables.session(secret, at: Self.now))
    #expect(session.grant == Self.editor && session.kind == .session && session.madeAt == Self.now)
    #expect(try tables.list(at: Self.now).first?.lastUsedAt == Self.now)
    try tables.revoke("passkey-1")
    #expect(try tables.session(secret, at: Self.now) == nil && tables.passkey([1, 2]) == nil)
    #expect(try open(7, tables) == nil && tables.list(at: Self.now) == [])
    try add(to: tables)
  }

  @Test("a session that ends leaves the passkey", arguments: AccessForm.allCases)
  func sessionEnds(form: AccessForm) throws {
    let fixture = try form.makeFixture()
    let tables = try fixture.open()
    try add(to: tables)
    let secret = try #require(try open(6, tables))
    try tables.endSession(secret)
    #expect(try open(7, tables) != nil)
    try tables.revoke("session-3")
    #expect(try open(8, tables) != nil)
  }

  @Test("an authenticator that counts backwards, or stays, may be a copy", arguments: AccessForm.allCases)
  func counter(form: AccessForm) throws {
    let fixture = try form.makeFixture()
    let tables = try fixture.open()
    try add(to: tables)
    for counter in [0, 4, 5] as [UInt32] { #expect(try open(counter, tables) == nil, "\(counter)") }
    #expect(try open(6, tables) != nil && open(6, tables) == nil && open(.max, tables) != nil && open(7, tables) == nil)
  }

  @Test("one that never counts is taken, until it begins to", arguments: AccessForm.allCases)
  func uncounted(form: AccessForm) throws {
    let fixture = try form.makeFixture()
    let tables = try fixture.open()
    try add(counter: 0, to: tables)
    #expect(try open(0, tables) != nil && open(0, tables) != nil && open(1, tables) != nil && open(0, tables) == nil)
  }

  @Test("a passkey opens nothing by itself", arguments: AccessForm.allCases)
  func noToken(form: AccessForm) throws {
    let fixture = try form.makeFixture()
    let tables = try fixture.open()
    try add(to: tables)
    for text in ["AQI", "passkey-1", ""] {
      #expect(try tables.session(text, at: Self.now) == nil && tables.token(text, at: Self.now) == nil)
    }
  }
}
