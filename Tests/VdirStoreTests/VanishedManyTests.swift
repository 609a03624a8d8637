import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import SQLiteStore
import Testing
import VdirStore

/// `rm`, vdirsyncer and Syncthing delete one file after the other.
@Suite("Many files that vanish from a folder of calendars")
struct VanishedManyTests {
  private let place: Place
  private let belfry: Belfry
  private let day = 86_400.0

  init() throws {
    place = try Place()
    belfry = place.belfry()
  }

  // To-dos that are due at 09:00 on a day, an hour from now or later.
  private func write(_ numbers: ClosedRange<Int>, on day: Int = 30, _ lines: String...) throws {
    for number in numbers {
      let todo = ["SUMMARY:\(number)", "DUE:202611\(day)T090000"] + lines
      try place.write(Place.todo(uid: "n\(number)", todo.joined(separator: "\r\n")), to: "home/\(number).ics")
    }
    _ = try belfry.planEdits()
  }

  private func remove(_ number: Int) throws { try place.remove("home/\(number).ics") }

  // A look of the daemon.
  private func look(after seconds: Double) throws {
    place.time.advance(by: seconds)
    _ = try belfry.planEdits()
  }

  private func pendingCount() throws -> Int { try belfry.store.read { try $0.pending().count } }

  private func faults() throws -> [String] { try belfry.store.read { try $0.editFaults() } }

  @Test("at whatever pace: all ring for a day more, are told, and count as deleted then", arguments: [0.01, 1, 30, 60])
  func paces(interval: Double) throws {
    try write(1...100)
    var elapsed = 0.0
    for number in 1...50 {
      try remove(number)
      elapsed += interval
      // The daemon looks when a file changes, and each minute.
      if elapsed >= 1 || number == 50 {
        try look(after: elapsed)
        elapsed = 0
      }
      #expect(try pendingCount() == 100)
    }
    #expect(try faults().contains { $0.contains("home: the files of 50 to-dos vanished") })
    try look(after: day - 1 - 50 * interval)
    #expect(try pendingCount() == 100)
    try look(after: 1 + 50 * interval)
    #expect(try pendingCount() == 50)
    #expect(try belfry.store.items().count == 50)
    #expect(try belfry.store.damage().isEmpty)
  }

  @Test("slower than one a minute, each is a deleted item")
  func slowly() throws {
    try write(1...40)
    for number in 1...20 {
      try remove(number)
      for _ in 1...3 { try look(after: 30) }
    }
    #expect(try pendingCount() == 20)
    #expect(try faults().isEmpty)
  }

  @Test("5,000 at once with reminders due in this minute: all are due, and none is told as deleted")
  func atOnce() throws {
    try write(1...5_000, on: 21)
    try place.remove("home")
    try FileManager.default.createDirectory(atPath: place.path("home"), withIntermediateDirectories: true)
    try look(after: 3_600)
    let due = try belfry.store.read { try $0.dueReminders(at: place.time.now, limit: .max).count }
    #expect(due == 5_000)
    #expect(try faults().count == 1)
    #expect(try belfry.store.damage().count == 1)
  }

  @Test("store check --accept-deletions deletes them at once, and nothing else")
  func accepted() throws {
    try write(1...40)
    for number in 1...30 { try remove(number) }
    try look(after: 1)
    #expect(try pendingCount() == 40)
    let store = try #require(belfry.store as? any TiedStore)
    #expect(try store.acceptDeletions() == 30)
    try look(after: 0)
    #expect(try pendingCount() == 10)
    #expect(try belfry.store.items().count == 10)
    #expect(try faults().isEmpty)
    #expect(try store.acceptDeletions() == 0)
  }

  @Test("those that come back are as they were, numbers, reminders and snoozes")
  func back() throws {
    try write(1...40)
    let before = try belfry.store.items()
    let aside = place.folder.file("aside")
    try FileManager.default.moveItem(atPath: place.path("home"), toPath: aside)
    try FileManager.default.createDirectory(atPath: place.path("home"), withIntermediateDirectories: true)
    try look(after: 1)
    for number in 1...40 where number.isMultiple(of: 2) {
      try FileManager.default.moveItem(atPath: "\(aside)/\(number).ics", toPath: place.path("home/\(number).ics"))
    }
    try look(after: 60)
    #expect(try belfry.store.items() == before)
    #expect(try faults().contains { $0.contains("the files of 20 to-dos") })
    try look(after: day)
    #expect(try belfry.store.items().count == 20)
    #expect(try pendingCount() == 20)
  }

  @Test("those that move to another list have not vanished, in whatever order the files come and go")
  func moved() throws {
    try write(1...40)
    try FileManager.default.createDirectory(atPath: place.path("work"), withIntermediateDirectories: true)
    for number in 1...40 {
      let (from, to) = (place.path("home/\(number).ics"), place.path("work/\(number).ics"))
      switch number % 3 {
      case 0: try FileManager.default.moveItem(atPath: from, toPath: to)
      case 1:
        try FileManager.default.copyItem(atPath: from, toPath: to)
        try look(after: 1)
        try FileManager.default.removeItem(atPath: from)
      default:
        let text = try place.read("home/\(number).ics")
        try FileManager.default.removeItem(atPath: from)
        try look(after: 1)
        try place.write(text, to: "work/\(number).ics")
      }
      try look(after: 1)
      #expect(try pendingCount() == 40)
    }
    #expect(try faults().isEmpty)
    try look(after: day)
    #expect(try pendingCount() == 40)
    #expect(try belfry.store.read { try $0.lists().map(\.name).sorted() } == ["home", "work"])
  }

  @Test("completed ones may go at any pace")
  func completed() throws {
    try write(1...10)
    try write(11...60, "STATUS:COMPLETED")
    #expect(try belfry.store.items().count == 60)
    for number in 11...60 { try remove(number) }
    try look(after: 1)
    #expect(try belfry.store.items().count == 60)
    try look(after: 60)
    #expect(try belfry.store.items().count == 10)
    #expect(try pendingCount() == 10)
    #expect(try faults().isEmpty)
  }

  @Test("a state of an earlier version, without the tables of vanished files, is continued")
  func earlierState() throws {
    try write(1...20)
    let database = try #require(belfry.store.watchedFile)
    try SQLiteStore(path: database).write { _, database in
      for index in ["vdir_file_vanished", "vdir_file_faulty"] { try database.execute("DROP INDEX \(index)") }
      for table in ["vdir_guarded", "vdir_deleted"] { try database.execute("DROP TABLE \(table)") }
      for trigger in ["vdir_snooze_added", "vdir_snooze_ended"] { try database.execute("DROP TRIGGER \(trigger)") }
    }
    try place.remove("home/1.ics")
    let store = place.open()
    #expect(try store.items().count == 20)
    place.time.advance(by: 60)
    #expect(try store.items().count == 19)
  }
}
