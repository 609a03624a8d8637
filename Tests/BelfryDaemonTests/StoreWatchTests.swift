import BelfryEngine
import BelfryRuntime
import BelfryTestKit
import Foundation
import Testing

struct StoreWatchTests {
  private let now = Date(timeIntervalSince1970: 1_795_000_000)

  private func isReadable(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) == 1
  }

  @Test("a change of the store is looked at once, and others of its folder are not")
  func change() throws {
    let folder = try TemporaryFolder()
    let watch = try StoreWatch(file: folder.file("store.sqlite"))
    try Data("x".utf8).write(to: URL(filePath: folder.file("other")))
    watch.drain(at: now)
    #expect(!watch.isLookDue(at: now))
    try Data("x".utf8).write(to: URL(filePath: folder.file("store.sqlite-wal")))
    #expect(isReadable(watch.awaited))
    watch.drain(at: now)
    #expect(watch.nextLook == now && watch.awaited == -1)
    #expect(watch.isLookDue(at: now))
    #expect(!watch.isLookDue(at: now) && watch.awaited >= 0)
  }

  @Test("what counts only some time after it was written is looked at again, and a new change at once")
  func repeated() throws {
    let folder = try TemporaryFolder()
    let watch = try StoreWatch(file: folder.file("store.sqlite"))
    try Data("x".utf8).write(to: URL(filePath: folder.file("store.sqlite-wal")))
    watch.drain(at: now)
    for seconds in [0, 0.1875, 0.5625, 1.3125] {
      #expect(watch.nextLook == now + seconds && watch.isLookDue(at: now + seconds))
    }
    #expect(watch.nextLook == .distantFuture)

    try Data("y".utf8).write(to: URL(filePath: folder.file("store.sqlite-wal")))
    watch.drain(at: now + 2)
    #expect(watch.isLookDue(at: now + 2) && watch.awaited >= 0)
    try Data("z".utf8).write(to: URL(filePath: folder.file("store.sqlite-wal")))
    watch.drain(at: now + 2.1)
    #expect(watch.nextLook == now + 2.1875 && watch.awaited == -1)
  }

  @Test("a file of the store that is closed is looked at, since what was written to it counts by then")
  func closed() throws {
    let folder = try TemporaryFolder()
    let file = URL(filePath: folder.file("store.sqlite-wal"))
    try Data().write(to: file)
    let watch = try StoreWatch(file: folder.file("store.sqlite"))
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: Data("x".utf8))
    watch.drain(at: now)
    for seconds in [0, 0.1875, 0.5625, 1.3125] { #expect(watch.isLookDue(at: now + seconds)) }
    try handle.close()
    #expect(isReadable(watch.awaited))
    watch.drain(at: now + 60)
    #expect(watch.isLookDue(at: now + 60))
  }

  @Test("all changes that are there are taken in at once")
  func flood() throws {
    let folder = try TemporaryFolder()
    let watch = try StoreWatch(file: folder.file("store.sqlite"))
    let files = try ["one", "two"].map { name in
      try Data().write(to: URL(filePath: folder.file(name)))
      return try FileHandle(forWritingTo: URL(filePath: folder.file(name)))
    }
    // In turn, since equal events in a row are one.
    for number in 0..<1_000 { try files[number % 2].write(contentsOf: Data("x".utf8)) }
    #expect(isReadable(watch.awaited))
    watch.drain(at: now)
    #expect(!isReadable(watch.awaited))
  }

  @Test("a change that no longer fits into the system's queue of events is looked at")
  func overflow() throws {
    let folder = try TemporaryFolder()
    let queue = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
    let length = try #require(Int(queue.trimmingCharacters(in: .whitespacesAndNewlines)))
    let watch = try StoreWatch(file: folder.file("store.sqlite"))
    let files = try ["one", "two"].map { name in
      try Data().write(to: URL(filePath: folder.file(name)))
      return try FileHandle(forWritingTo: URL(filePath: folder.file(name)))
    }
    for number in 0..<length { try files[number % 2].write(contentsOf: Data("x".utf8)) }
    try Data("x".utf8).write(to: URL(filePath: folder.file("store.sqlite-wal")))
    watch.drain(at: now)
    // The look is due for the overflow alone, since the other files of the folder are not the store's.
    #expect(watch.isLookDue(at: now) && !isReadable(watch.awaited))
  }

  private final class ScriptedSource: ChangeSource {
    var isChanged = false
    var descriptor: Int32 { 7 }

    func takeIn() -> Bool {
      defer { isChanged = false }
      return isChanged
    }
  }

  @Test("a store whose changes are told is looked at once, when they are told, and every five seconds")
  func told() {
    let source = ScriptedSource()
    let watch = StoreWatch(source: source)
    watch.drain(at: now)
    #expect(watch.isLookDue(at: now) && !watch.isLookDue(at: now) && watch.awaited == 7)
    #expect(watch.nextLook == now + 5)
    source.isChanged = true
    watch.drain(at: now + 1)
    #expect(watch.awaited == -1)
    for seconds in [1, 1.1875, 1.5625, 2.3125, 7.3125] {
      #expect(watch.nextLook == now + seconds && watch.isLookDue(at: now + seconds))
    }
    // The clock was set back.
    #expect(watch.isLookDue(at: now - 3_600) && watch.nextLook == now - 3_595)
  }
}
