import BelfryTestKit
import Foundation
import PostgresStore
import Testing

@testable import WebAccess

@Suite("Requests that must take effect once")
struct RepliesTests {
  private static let now = Date(timeIntervalSince1970: 1_795_248_000)
  private static let reply = KeptReply(status: 201, fields: "Location: /api/v1/items/4", body: "{}\n")

  private func request(_ key: String = "key", _ name: String = "laptop", _ content: String = "add") -> OnceRequest {
    let access = Access(
      name: name, label: nil, kind: .token, grant: Access.Grant(scope: .edit), madeAt: Self.now, lastUsedAt: nil,
      expiresAt: nil)
    return OnceRequest(key: key, from: access, content: content)
  }

  private func given(_ reply: KeptReply) -> AccessStore.GivenReply {
    AccessStore.GivenReply(reply: reply, request: request(), began: Self.now)
  }

  @Test("a request begins once, and then has its reply", arguments: AccessForm.allCases)
  func once(form: AccessForm) throws {
    let fixture = try form.makeFixture()
    let tables = try fixture.open()
    #expect(try tables.begin([request()], at: Self.now) == [.new(Self.now)])
    #expect(try tables.begin([request()], at: Self.now + 5) == [.known(Self.now)])
    #expect(try tables.reply(to: request()) == nil)
    try tables.keep([given(Self.reply)])
    #expect(try tables.begin([request()], at: Self.now + 5) == [.known(Self.now)])
    #expect(try tables.reply(to: request()) == Self.reply)
    #expect(try tables.begin([request("other")], at: Self.now) == [.new(Self.now)])
    #expect(try tables.begin([request("key", "phone")], at: Self.now) == [.new(Self.now)])
    #expect(try tables.begin([request("key", "laptop", "delete")], at: Self.now) == [.other])
    #expect(request().identity(begun: Self.now) != request().identity(begun: Self.now + 1))
    #expect(request().identity(begun: Self.now) != request("other").identity(begun: Self.now))
  }

  @Test("requests that come together begin in order, and get their replies together", arguments: AccessForm.allCases)
  func several(form: AccessForm) throws {
    let tables = try form.makeFixture().open()
    let came = [request(), request("other"), request(), request("key", "laptop", "delete")]
    #expect(try tables.begin(came, at: Self.now) == [.new(Self.now), .new(Self.now), .known(Self.now), .other])
    let other = KeptReply(status: 200, body: "[]\n")
    try tables.keep([given(Self.reply), .init(reply: other, request: request("other"), began: Self.now)])
    #expect(try tables.reply(to: request()) == Self.reply && tables.reply(to: request("other")) == other)
  }

  @Test("a key ends after a day, and with a request that changed nothing", arguments: AccessForm.allCases)
  func ends(form: AccessForm) throws {
    let fixture = try form.makeFixture()
    let tables = try fixture.open()
    let secret = request("a very secret key")
    #expect(try tables.begin([secret], at: Self.now) == [.new(Self.now)])
    try tables.keep([.init(reply: Self.reply, request: secret, began: Self.now)])
    #expect(try tables.begin([secret], at: Self.now + 86_399) == [.known(Self.now)])
    let later = Self.now + 86_400
    #expect(try tables.begin([secret], at: later) == [.new(later)])
    #expect(try tables.reply(to: secret) == nil)
    try tables.forget(secret)
    #expect(try tables.begin([secret], at: later + 1) == [.new(later + 1)])
    #expect(try !fixture.contains("very secret"))
  }

  @Test(
    "a request that changed nothing is not forgotten if a copy of it has kept its reply", arguments: AccessForm.allCases
  )
  func copied(form: AccessForm) throws {
    let tables = try form.makeFixture().open()
    #expect(try tables.begin([request(), request()], at: Self.now) == [.new(Self.now), .known(Self.now)])
    try tables.keep([given(Self.reply)])
    try tables.forget(request())
    #expect(try tables.begin([request()], at: Self.now + 5) == [.known(Self.now)])
    #expect(try tables.reply(to: request()) == Self.reply)
  }

  @Test(
    "a reply is kept for a request that was forgotten meanwhile, and without a body where it is too long",
    arguments: AccessForm.allCases)
  func long(form: AccessForm) throws {
    let fixture = try form.makeFixture()
    let tables = try fixture.open()
    let reply = KeptReply(status: 200, body: nil)
    try tables.keep([given(reply)])
    #expect(try tables.reply(to: request()) == reply)
  }

  @Test("in the store's database, a reply is kept with the change or not at all, and delays no one who shows a token")
  func joined() throws {
    struct Failure: Error {}
    let fixture = try PostgresAccessFixture()
    let (store, tables) = (fixture.store(), try fixture.open())
    let token = try tables.addToken("laptop", for: Access.Grant(scope: .edit), at: Self.now)
    #expect(throws: Failure.self) {
      try store.write { transaction in
        try tables.keep([given(Self.reply)], in: transaction)
        throw Failure()
      }
    }
    #expect(try tables.reply(to: request()) == nil)
    try store.write { transaction in
      try tables.keep([given(Self.reply)], in: transaction)
      #expect(try tables.reply(to: request()) == nil && tables.token(token, at: Self.now) != nil)
      try tables.revoke("laptop")
    }
    #expect(try tables.reply(to: request()) == Self.reply && tables.token(token, at: Self.now) == nil)
  }
}
