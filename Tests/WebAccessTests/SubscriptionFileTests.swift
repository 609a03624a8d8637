import BelfryModel
import BelfryTestKit
import CSQLite
import Foundation
import SQLiteStore
import Testing
import WebPush

@testable import WebAccess

@Suite("The browsers that subscribed")
struct SubscriptionFileTests {
  private static let now = Date(timeIntervalSince1970: 1_795_249_800)

  private let folder: TemporaryFolder
  private let file: SubscriptionFile

  init() throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    file = SubscriptionFile(path: folder.file("inner/push.sqlite"))
  }

  private func address(_ name: String) throws -> PushSubscription.Address {
    let key = try #require(PushKey.make())
    let recipient = try #require(PushRecipient(publicKey: key.publicKey, secret: randomBytes(16)))
    return PushSubscription.Address(endpoint: "https://push.example.org/\(name)", recipient: recipient)
  }

  @Test("the key is made once, at the first asking for it, in a file that its owner alone may read")
  func key() throws {
    #expect(try file.key() == nil && (try file.subscriptions()).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: file.path))
    let key = try file.keyForSubscribers()
    #expect(try file.keyForSubscribers().bytes == key.bytes)
    #expect(try SubscriptionFile(path: file.path).key()?.bytes == key.bytes)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test("each browser has a name of its own, and once it subscribes again it is still one")
  func names() throws {
    let (one, other) = (try address("1"), try address("2"))
    #expect(try file.add(one, called: "Firefox", for: "anna", at: Self.now) == "Firefox")
    #expect(try file.add(other, called: "Firefox", for: nil, at: Self.now) == "Firefox 2")
    let again = PushSubscription.Address(endpoint: one.endpoint, recipient: try address("3").recipient)
    #expect(try file.add(again, called: "Laptop", for: "ben", at: Self.now) == "Laptop")
    #expect(try file.subscriptions().map(\.name) == ["Firefox 2", "Laptop"])
    #expect(try file.subscription("Laptop")?.address == again)
    #expect(try file.subscription("Firefox") == nil)
  }

  @Test("a person gets what is theirs on their browsers and on those of nobody in particular")
  func people() throws {
    for (name, person) in [("a", "anna"), ("b", "ben"), ("n", nil)] as [(String, String?)] {
      try file.add(try address(name), called: name, for: person, at: Self.now)
    }
    #expect(try file.names(for: "anna") == ["a", "n"])
    #expect(try file.names(for: "carl") == ["n"])
    #expect(try file.names(for: nil) == ["a", "b", "n"])
  }

  @Test("a file of before keeps its browsers, which no access ends until they are seen with it")
  func olderFile() throws {
    try file.add(try address("1"), called: "Phone", for: "anna", at: Self.now)
    let database = try Database(path: file.path, SQLITE_OPEN_READWRITE)
    try database.execute("ALTER TABLE subscription DROP COLUMN access; PRAGMA user_version = 1")
    let access = Access(
      name: "session-1", label: nil, kind: .session, grant: Access.Grant(person: "anna", scope: .edit),
      madeAt: Self.now, lastUsedAt: nil, expiresAt: nil)
    #expect(try file.end(with: [access]).isEmpty && file.subscriptions().map(\.name) == ["Phone"])
    #expect(try file.knows("https://push.example.org/1", seenBy: access))
    #expect(try !file.knows("https://push.example.org/2", seenBy: access))
    #expect(try file.end(with: [access]) == ["Phone"] && file.subscriptions().isEmpty)
  }

  @Test("a browser that renews its address stays what it is")
  func renewal() throws {
    let (old, new) = (try address("old"), try address("new"))
    let name = try file.add(old, called: "Phone", for: "anna", at: Self.now)
    #expect(try !file.renew("https://push.example.org/none", as: new))
    #expect(try file.renew(old.endpoint, as: new))
    let renewed = try #require(try file.subscription(name))
    #expect(renewed.address == new && renewed.person == "anna")
    #expect(try !file.renew(old.endpoint, as: new))
    // A second request ends nothing.
    #expect(try file.subscriptions().map(\.address).contains(new))
  }

  @Test("a subscription that has ended is ended once, and not in the place of a renewed one")
  func end() throws {
    let (old, new) = (try address("old"), try address("new"))
    let name = try file.add(old, called: "Phone", for: nil, at: Self.now)
    #expect(try file.renew(old.endpoint, as: new))
    #expect(try !file.end(name, at: old.endpoint))
    #expect(try file.end(name, at: new.endpoint))
    #expect(try !file.end(name))
  }

  @Test("the last success is kept by the hour")
  func success() throws {
    let name = try file.add(try address("1"), called: "Phone", for: nil, at: Self.now)
    let subscription = try #require(try file.subscription(name))
    #expect(subscription.reachedAt == nil)
    try file.note(reached: [subscription], at: Self.now)
    #expect(try file.subscription(name)?.reachedAt == Date(timeIntervalSince1970: 1_795_248_000))
  }

  @Test("what is damaged is told, with the file's name")
  func damage() throws {
    _ = try file.keyForSubscribers()
    try Data(repeating: 7, count: 4_096).write(to: URL(fileURLWithPath: file.path))
    #expect {
      try SubscriptionFile(path: file.path).key()
    } throws: { error in
      (error as? BelfryError)?.kind == .storeFailed && "\(error)".contains("push.sqlite")
    }
  }
}
