import BelfryTestKit
import Foundation
import Testing

@testable import WebAccess

@Suite("Requests that must take effect once")
struct RepliesTests {
  private static let now = Date(timeIntervalSince1970: 1_795_248_000)
  private static let reply = KeptReply(status: 201, fields: "Location: /api/v1/items/4", body: "{}\n")

  private let folder: TemporaryFolder
  private let file: AccessFile

  init() throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    file = AccessFile(store: folder.file("store.sqlite"))
  }

  private func request(_ key: String = "key", _ name: String = "laptop", _ content: String = "add") -> OnceRequest {
    let access = Access(
      name: name, label: nil, kind: .token, grant: Access.Grant(scope: .edit), madeAt: Self.now, lastUsedAt: nil,
      expiresAt: nil)
    return OnceRequest(key: key, from: access, content: content)
  }

  @Test("a request begins once, and then has its reply")
  func once() throws {
    #expect(try file.begin(request(), at: Self.now) == .new(Self.now))
    #expect(try file.begin(request(), at: Self.now + 5) == .known(Self.now))
    #expect(try file.reply(to: request()) == nil)
    try file.keep(Self.reply, to: request(), begun: Self.now)
    #expect(try file.begin(request(), at: Self.now + 5) == .known(Self.now))
    #expect(try file.reply(to: request()) == Self.reply)
    #expect(try file.begin(request("other"), at: Self.now) == .new(Self.now))
    #expect(try file.begin(request("key", "phone"), at: Self.now) == .new(Self.now))
    #expect(try file.begin(request("key", "laptop", "delete"), at: Self.now) == .other)
    #expect(request().identity(begun: Self.now) != request().identity(begun: Self.now + 1))
    #expect(request().identity(begun: Self.now) != request("other").identity(begun: Self.now))
  }

  @Test("a key ends after a day, and with a request that changed nothing")
  func ends() throws {
    let secret = request("a very secret key")
    #expect(try file.begin(secret, at: Self.now) == .new(Self.now))
    try file.keep(Self.reply, to: secret, begun: Self.now)
    #expect(try file.begin(secret, at: Self.now + 86_399) == .known(Self.now))
    let later = Self.now + 86_400
    #expect(try file.begin(secret, at: later) == .new(later))
    #expect(try file.reply(to: secret) == nil)
    try file.forget(secret)
    #expect(try file.begin(secret, at: later + 1) == .new(later + 1))
    let bytes = ["", "-wal"].compactMap { FileManager.default.contents(atPath: file.path + $0) }
    #expect(!bytes.isEmpty && bytes.allSatisfy { $0.firstRange(of: Data("very secret".utf8)) == nil })
  }

  @Test("a reply is kept for a request that was forgotten meanwhile, and without a body where it is too long")
  func long() throws {
    let reply = KeptReply(status: 200, body: nil)
    try file.keep(reply, to: request(), begun: Self.now)
    #expect(try file.reply(to: request()) == reply)
  }
}
