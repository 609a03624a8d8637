import BelfryModel
import BelfryTestKit
import Foundation
import OrderedJSON
import Testing

@testable import AnswerTokens

@Suite("The file of the signing keys")
struct KeyRingFileTests {
  private static let week = 7 * 86_400
  private let folder: TemporaryFolder
  private let file: KeyRingFile

  init() throws {
    folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    file = KeyRingFile(path: folder.file("state/belfry/answer-keys"))
  }

  @Test("it is made at the first use, for its user alone, and stays")
  func made() throws {
    #expect(try file.read() == nil)
    let ring = try file.make(at: .sample)
    #expect(ring.count == 1)
    let text = ring.sign(.sample, for: .link)
    let again = try #require(try file.read())
    #expect(try again.verify(text, for: .link, at: .sample) == .sample)
    #expect(try file.make(at: .sample).sign(.sample, for: .link) == text)
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.file("state/belfry")).sorted() == [
        "answer-keys", "answer-keys.lock",
      ])
  }

  @Test("two rings are never made with the same key")
  func differentKeys() throws {
    let other = KeyRingFile(path: folder.file("other"))
    #expect(try file.make(at: .sample).newest.secret != other.make(at: .sample).newest.secret)
  }

  @Test("many that make it at once get one ring")
  func madeAtOnce() async throws {
    let texts = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<16 { group.addTask { try file.make(at: .sample).sign(.sample, for: .link) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(texts.count == 1)
  }

  @Test("a rotation adds a key, and removes the old ones once their tokens have expired")
  func rotation() throws {
    let first = try file.rotate(at: .sample, validFor: Self.week, retryMaxAge: 0).sign(.sample, for: .link)
    var ring = try file.rotate(at: .sample, validFor: Self.week, retryMaxAge: 0)
    #expect((ring.count, ring.signingKey) == (2, 1))
    #expect(try ring.verify(first, for: .link, at: .sample) == .sample)
    ring = try file.rotate(at: .sample.addingTimeInterval(Double(Self.week) - 1), validFor: Self.week, retryMaxAge: 0)
    #expect((ring.count, ring.signingKey) == (3, 2))
    ring = try file.rotate(at: .sample.addingTimeInterval(Double(Self.week)), validFor: Self.week, retryMaxAge: 0)
    #expect((ring.count, ring.signingKey) == (3, 3))
    #expect(throws: TokenRefusal.bad) { try ring.verify(first, for: .link, at: .sample) }
  }

  @Test("no key goes before its last token, however the clock goes")
  func clockSetBack() throws {
    _ = try file.make(at: .sample)
    let longAgo = Date(timeIntervalSince1970: 0)
    for _ in 1...3 { _ = try file.rotate(at: longAgo, validFor: Self.week, retryMaxAge: 0) }
    let ring = try file.rotate(at: .sample.addingTimeInterval(3_600), validFor: Self.week, retryMaxAge: 0)
    #expect(ring.count == 5)
  }

  @Test("no more than 32 keys are kept, and numbers go round")
  func full() throws {
    var now = Date.sample
    for _ in 1...32 { _ = try file.rotate(at: now, validFor: Self.week, retryMaxAge: 0) }
    let before = try Data(contentsOf: URL(filePath: file.path))
    #expect(errorKind { try file.rotate(at: now, validFor: Self.week, retryMaxAge: 0) } == .tryAgain)
    #expect(try Data(contentsOf: URL(filePath: file.path)) == before)
    #expect(try file.read()?.count == 32)
    now += Double(Self.week)
    let ring = try file.rotate(at: now, validFor: Self.week, retryMaxAge: 0)
    #expect((ring.count, ring.signingKey) == (2, 0))
    #expect(ring.older.map(\.number) == [31])
  }

  @Test("an old copy signs with what it has, and takes no token of a key that it lacks")
  func oldCopy() throws {
    _ = try file.make(at: .sample)
    let copy = try Data(contentsOf: URL(filePath: file.path))
    let lost = try file.rotate(at: .sample, validFor: Self.week, retryMaxAge: 0).sign(.sample, for: .link)
    try copy.write(to: URL(filePath: file.path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    let ring = try #require(try file.read())
    #expect(throws: TokenRefusal.bad) { try ring.verify(lost, for: .link, at: .sample) }
    #expect(ring.sign(.sample, for: .link, key: 1) == ring.sign(.sample, for: .link))
    let rotated = try file.rotate(at: .sample, validFor: Self.week, retryMaxAge: 0)
    #expect(throws: TokenRefusal.bad) { try rotated.verify(lost, for: .link, at: .sample) }
  }

  @Test("a file that others may read is refused", arguments: [0o640, 0o604, 0o660, 0o666])
  func readableByOthers(mode: Int) throws {
    _ = try file.make(at: .sample)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    #expect(errorKind { try file.read() } == .noPermission)
    #expect(errorKind { try file.make(at: .sample) } == .noPermission)
    #expect(errorKind { try file.rotate(at: .sample, validFor: Self.week, retryMaxAge: 0) } == .noPermission)
  }

  @Test(
    "a damaged or newer file is refused and left as it is, and not quoted",
    arguments: [
      "", "{", "[]", "{}", #"{"format":"belfry-answer-keys"}"#, #"{"format":"other","version":1,"keys":[]}"#,
      #"{"format":"belfry-answer-keys","version":1,"keys":[]}"#,
      #"{"format":"belfry-answer-keys","version":2,"keys":[]}"#,
      #"{"format":"belfry-answer-keys","version":1,"keys":[{"number":32,"made_at":"2026-11-21T08:00:00Z","expires_at":null,"key":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"}]}"#,
      #"{"format":"belfry-answer-keys","version":1,"keys":[{"number":1,"made_at":"2026-11-21","expires_at":null,"key":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"}]}"#,
      #"{"format":"belfry-answer-keys","version":1,"keys":[{"number":1,"made_at":"2026-11-21T08:00:00Z","expires_at":null,"key":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQF"}]}"#,
      #"{"format":"belfry-answer-keys","version":1,"keys":[{"number":1,"made_at":"2026-11-21T08:00:00Z","key":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"}]}"#,
    ])
  func damaged(text: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("state/belfry"), withIntermediateDirectories: true)
    #expect(
      FileManager.default.createFile(
        atPath: file.path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]))
    for attempt in [
      { try file.read() }, { try file.make(at: .sample) },
      { try file.rotate(at: .sample, validFor: 60, retryMaxAge: 0) },
    ]
      as [() throws -> KeyRing?]
    {
      #expect {
        try attempt()
      } throws: { error in
        guard let error = error as? BelfryError else { return false }
        return error.kind == .storeFailed && !"\(error)".contains("AQEB") && "\(error)".contains(file.path)
      }
    }
    #expect(try String(contentsOfFile: file.path, encoding: .utf8) == text)
  }

  @Test("each cut of a file is refused")
  func cut() throws {
    let text = KeyRing.sample(1, 2, 3).json.serialized()
    try FileManager.default.createDirectory(atPath: folder.file("state/belfry"), withIntermediateDirectories: true)
    for count in 0..<text.count {
      let content = Data(text.utf8.prefix(count))
      #expect(
        FileManager.default.createFile(atPath: file.path, contents: content, attributes: [.posixPermissions: 0o600]))
      #expect(errorKind { try file.read() } == .storeFailed)
    }
  }

  @Test("a ring reads back as it was written")
  func roundTrip() throws {
    let ring = KeyRing.sample(7, 8, 9)
    let again = try KeyRing(JSONValue(parsing: ring.json.serialized().utf8))
    #expect(again.json == ring.json)
    #expect(again.sign(.sample, for: .link, key: 7) == ring.sign(.sample, for: .link, key: 7))
  }

  @Test("a lock that is held is waited for, and then told")
  func locked() throws {
    _ = try file.make(at: .sample)
    let descriptor = open(file.path + ".lock", O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    let time = ContinuousClock().measure { #expect(errorKind { try file.make(at: .sample) } == .tryAgain) }
    #expect(time < TimeLimit.heldLock)
    #expect(try file.read() != nil)
  }

  @Test("a link stays a link, and what a killed program left is cleared away")
  func link() throws {
    try FileManager.default.createDirectory(atPath: folder.file("state/belfry"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: folder.file("real"))
    try Data("litter".utf8).write(to: URL(filePath: folder.file("real.new")))
    let ring = try file.make(at: .sample)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == folder.file("real"))
    #expect(try file.read()?.json == ring.json)
    #expect(try folder.names() == ["real", "real.lock", "state"])
  }
}
