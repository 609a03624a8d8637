import BelfryTestKit
import Foundation
import Testing

@testable import WebAccess

@Suite("Requests that must take effect once")
struct RepliesTests {
  private static let now = Date(timeIntervalSince1970: 1_795_248_000)
  private static let reply = KeptReply(status: 201, location: "/api/v1/items/4", body: "{}\n")

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
    #expect(try file.begin(request(), at: Self.now) == .begun(Self.now))
    #expect(try file.begin(request(), at: Self.now + 5) == .underWay)
    try file.finish(request(), with: Self.reply)
    #expect(try file.begin(request(), at: Self.now + 5) == .done(Self.reply))
    #expect(try file.begin(request("other"), at: Self.now) == .begun(Self.now))
    #expect(try file.begin(request("key", "phone"), at: Self.now) == .begun(Self.now))
    #expect(try file.begin(request("key", "laptop", "delete"), at: Self.now) == .other)
  }

  @Test("a key ends after a day, after a minute of a request that died, and with one that changed nothing")
  func ends() throws {
    #expect(try file.begin(request("a very secret key"), at: Self.now) == .begun(Self.now))
    #expect(try file.begin(request("a very secret key"), at: Self.now + 59) == .underWay)
    #expect(try file.begin(request("a very secret key"), at: Self.now + 60) == .begunAgain(Self.now))
    try file.finish(request("a very secret key"), with: Self.reply)
    #expect(try file.begin(request("a very secret key"), at: Self.now + 86_399) == .done(Self.reply))
    let later = Self.now + 86_400
    #expect(try file.begin(request("a very secret key"), at: later) == .begun(later))
    try file.forget(request("a very secret key"))
    #expect(try file.begin(request("a very secret key"), at: later + 1) == .begun(later + 1))
    let bytes = ["", "-wal"].compactMap { FileManager.default.contents(atPath: file.path + $0) }
    #expect(!bytes.isEmpty && bytes.allSatisfy { $0.firstRange(of: Data("very secret".utf8)) == nil })
  }

  @Test("a reply too long to keep leaves that it was done")
  func long() throws {
    _ = try file.begin(request(), at: Self.now)
    let reply = KeptReply(status: 200, location: nil, body: nil)
    try file.finish(request(), with: reply)
    #expect(try file.begin(request(), at: Self.now) == .done(reply))
  }
}
