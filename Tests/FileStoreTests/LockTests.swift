import BelfryModel
import BelfryTestKit
import Foundation
import Testing

@Suite("A store's file is shared by commands, the daemon and editors")
struct LockTests {
  @Test("after waiting too long for the lock, the change fails with tryAgain and changes nothing")
  func bounded() throws {
    let place = try Place(.json)
    try place.fill(items: 1)
    let before = place.data
    let descriptor = open(place.file + ".write-lock", O_RDWR)
    #expect(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
    let start = ContinuousClock.now
    let error = try #require(throws: BelfryError.self) {
      try place.open(waiting: 0.2).write { _ = try $0.addSampleList("new") }
    }
    let waited = ContinuousClock.now - start
    #expect(error.kind == .tryAgain && error.message.contains(place.file), "\(error)")
    #expect(waited > .milliseconds(150) && waited < TimeLimit.heldLock, "\(waited)")
    #expect(place.data == before)
    #expect(try place.open().read { try $0.items().count } == 1, "reading takes no lock")
    close(descriptor)
    try place.open(waiting: 0).write { _ = try $0.addSampleList("new") }
  }

  @Test("a lock that is given back in time is waited for")
  func waiting() throws {
    let place = try Place(.json)
    try place.fill(items: 1)
    let descriptor = open(place.file + ".write-lock", O_RDWR)
    #expect(flock(descriptor, LOCK_EX) == 0)
    let attempts = try LockAttempts(place.file + ".write-lock")
    let opener = Thread {
      attempts.wait(for: 2)
      close(descriptor)
    }
    opener.start()
    try place.open(waiting: 20).write { _ = try $0.addSampleList("new") }
    #expect(try place.open().read { try $0.lists().count } == 2)
  }

  @Test("a lock file that is removed while a change is made: another change gets in, and neither is lost")
  func removed() throws {
    let place = try Place(.json)
    try place.fill(items: 1)
    try Check.throwsError(.tryAgain) {
      try place.open().write { transaction in
        try transaction.addSampleItem("first", to: 1)
        unlink(place.file + ".write-lock")
        try place.open(waiting: 0).write { _ = try $0.addSampleItem("second", to: 1) }
      }
    }
    #expect(try place.open().read { try $0.items().map(\.text) } == ["Item 1", "second"])
    #expect(try place.open(waiting: 0).write { try $0.addSampleItem("third", to: 1).id } == 3)
  }

  @Test("a lock that is removed while others wait for it is not waited for")
  func removedWhileWaiting() throws {
    let place = try Place(.json)
    try place.fill(items: 1)
    let descriptor = open(place.file + ".write-lock", O_RDWR)
    #expect(flock(descriptor, LOCK_EX) == 0)
    defer { close(descriptor) }
    let attempts = try LockAttempts(place.file + ".write-lock")
    let remover = Thread {
      attempts.wait(for: 2)
      unlink(place.file + ".write-lock")
    }
    remover.start()
    try place.open(waiting: 20).write { _ = try $0.addSampleItem(to: 1) }
    #expect(try place.open().read { try $0.items().count } == 2)
  }

  @Test("a file that an editor saves in the same moment is not written over", arguments: Format.allCases)
  func editedMeanwhile(format: Format) throws {
    let place = try Place(format)
    try place.fill(items: 1)
    let other = try Place(format)
    try other.fill(items: 3)
    let edited = other.data
    let error = try #require(throws: BelfryError.self) {
      try place.open().write { transaction in
        try transaction.addSampleItem("mine", to: 1)
        try place.edit(edited)
      }
    }
    #expect(error.kind == .tryAgain, "\(error)")
    #expect(place.data == edited)
    #expect(try place.names().filter { $0.hasPrefix(".") } == [])
    #expect(try place.open().write { try $0.addSampleItem("mine", to: 1).id } == 4)
  }

  @Test("the lock of the daemon is open to whom the store is", arguments: [mode_t(0o600), 0o660])
  func daemonLockMode(mode: mode_t) throws {
    let place = try Place(.json)
    try place.fill(items: 1)
    chmod(place.file, mode)
    try place.open().lockForDaemon().release()
    var status = stat()
    #expect(stat(place.file + ".lock", &status) == 0 && status.st_mode & 0o777 == mode)
  }

  @Test("a file that is removed in the same moment does not come back")
  func removedMeanwhile() throws {
    let place = try Place(.json)
    try place.fill(items: 1)
    try Check.throwsError(.tryAgain) {
      try place.open().write { transaction in
        try transaction.addSampleItem("mine", to: 1)
        unlink(place.file)
      }
    }
    #expect(!FileManager.default.fileExists(atPath: place.file))
  }

  @Test("a file that appears while the first one is made is not written over")
  func appeared() throws {
    let place = try Place(.json)
    let other = try Place(.json)
    try other.fill(items: 2)
    try Check.throwsError(.tryAgain) {
      try place.open().write { transaction in
        try transaction.addSampleList("mine")
        try place.edit(other.data)
      }
    }
    #expect(place.data == other.data)
  }
}

/// Counts attempts at a lock: each opens the lock file, so that a second one means that the first has failed.
private struct LockAttempts: Sendable {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = inotify_init1(Int32(IN_CLOEXEC))
    try #require(descriptor >= 0 && inotify_add_watch(descriptor, path, UInt32(IN_OPEN)) >= 0)
  }

  /// Blocks until there were this many attempts, then stops counting.
  func wait(for count: Int) {
    defer { close(descriptor) }
    // Events of a watched file have no name, so each has the size of one structure.
    var event = [UInt8](repeating: 0, count: MemoryLayout<inotify_event>.size)
    for _ in 0..<count where read(descriptor, &event, event.count) <= 0 { return }
  }
}
