import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import Synchronization
import TestSupport
import Testing
import VdirStore

/// The clock stands at 2026-11-21 08:00 UTC, a Saturday, and the machine's zone is UTC.
@Suite("Answers to events, written into their files")
struct EventAnswersTests {
  private let place: Place
  private let belfry: Belfry

  init() throws {
    place = try Place()
    belfry = place.belfry(readsEvents: true, writesAcknowledged: true)
  }

  private static let hour = CalendarDuration(days: 0, minutes: 60)

  private func write(_ events: [[String]]) throws -> String {
    let lines = events.flatMap { ["BEGIN:VEVENT", "UID:a", "DTSTAMP:20261101T000000Z", "SUMMARY:Choir"] + $0 }
    let text =
      (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//other"] + lines + ["END:VCALENDAR", ""])
      .joined(separator: "\r\n")
    try place.write(text)
    _ = try belfry.planEdits()
    return text
  }

  private static func alarm(_ lines: String...) -> [String] {
    ["BEGIN:VALARM", "ACTION:DISPLAY", "X-ODD:1"] + lines + ["END:VALARM"]
  }

  /// The lines that a file has more than a text, and those that it has less.
  private func differences(from text: String) throws -> (more: [String], less: [String]) {
    let (old, new) = (text.components(separatedBy: "\r\n"), try place.read().components(separatedBy: "\r\n"))
    let difference = new.difference(from: old)
    func lines(_ changes: [CollectionDifference<String>.Change]) -> [String] {
      changes.map { change in
        switch change {
        case .insert(_, let line, _), .remove(_, let line, _): line
        }
      }
    }
    return (lines(difference.insertions), lines(difference.removals))
  }

  private func scheduled() throws -> [String] {
    let reminders = try belfry.store.read { try $0.reminders(of: .item(1), at: nil, state: .scheduled) }
    return reminders.sorted { $0.fireDate < $1.fireDate }.map { reminder in
      let time = Zone.utc.wallTime(at: reminder.fireDate.date).description.dropFirst(8).replacing("T", with: " ")
      return time + (reminder.occurrence.kind.isSnooze ? " s" : "")
    }
  }

  @Test("a check acknowledges each alarm of its occurrence, and undo takes back what has not rung elsewhere")
  func check() throws {
    let text = try write([
      ["DTSTART:20261121T090000Z", "RRULE:FREQ=DAILY"] + Self.alarm("TRIGGER:-PT30M", "UID:mine")
        + Self.alarm("TRIGGER:PT0S", "ACKNOWLEDGED:20261120T090100Z") + ["END:VEVENT"]
    ])
    _ = try belfry.setChecked(true, [1])
    let (more, less) = try differences(from: text)
    #expect(less == ["ACKNOWLEDGED:20261120T090100Z"])
    #expect(more.count == 3 && more[0] == "ACKNOWLEDGED:20261121T083000Z" && more[1] == "ACKNOWLEDGED:20261121T090000Z")
    #expect(more[2].hasPrefix("UID:"))
    #expect(try scheduled() == ["22 08:30", "22 09:00"] && belfry.store.damage().isEmpty)
    _ = try belfry.undo()
    #expect(try !place.read().contains("ACKNOWLEDGED:") && scheduled().first == "21 08:30")
    // Another program's change goes on from what was written.
    _ = try belfry.setChecked(true, [1])
    try place.write(try place.read().replacing("SUMMARY:Choir", with: "SUMMARY:Band"))
    _ = try belfry.planEdits()
    #expect(try scheduled() == ["22 08:30", "22 09:00"] && belfry.store.items().map(\.text) == ["Band"])
  }

  @Test("a snooze is written as a related alarm, moved with a later one, and gone with its end")
  func snooze() throws {
    let text = try write([
      ["X-MOZ-SNOOZE-TIME:20261120T090000Z", "DTSTART:20261121T075000Z", "DTEND:20261121T120000Z"]
        + Self.alarm("TRIGGER:-PT5M") + ["END:VEVENT"]
    ])
    _ = try belfry.snooze(1, until: .after(Self.hour))
    let (more, less) = try differences(from: text)
    let uid = try #require(more.first { $0.hasPrefix("UID:") }).dropFirst(4)
    #expect(more.contains("ACKNOWLEDGED:20261121T080000Z") && more.contains("RELATED-TO;RELTYPE=SNOOZE:\(uid)"))
    #expect(more.contains("TRIGGER;VALUE=DATE-TIME:20261121T090000Z") && more.contains("DESCRIPTION:Choir"))
    #expect(less == ["X-MOZ-SNOOZE-TIME:20261120T090000Z"])
    #expect(try scheduled() == ["21 09:00 s"])
    place.time.advance(by: 60)
    _ = try belfry.snooze(1, until: .after(Self.hour))
    let later = try place.read()
    #expect(later.contains("DATE-TIME:20261121T090100Z") && !later.contains("DATE-TIME:20261121T090000Z"))
    _ = try belfry.setChecked(true, [1])
    #expect(try !place.read().contains("SNOOZE") && scheduled() == [])
    #expect(try belfry.store.damage().isEmpty)
  }

  @Test("a snooze that another program gave rings, although it came to be known after the event had ended")
  func lateSnooze() throws {
    let event = ["DTSTART:20261121T073000Z", "DTEND:20261121T075000Z"] + Self.alarm("TRIGGER:PT0S", "UID:own")
    let snooze = Self.alarm("TRIGGER;VALUE=DATE-TIME:20261121T083000Z", "RELATED-TO;RELTYPE=SNOOZE:own")
    _ = try write([event + ["END:VEVENT"]])
    #expect(try scheduled() == [] && belfry.store.items().map(\.isChecked) == [true])
    _ = try write([event + snooze + ["END:VEVENT"]])
    #expect(try scheduled() == ["21 08:30 s"] && belfry.store.items().map(\.isChecked) == [false])
  }

  @Test("of a moved occurrence its own alarm is marked, and the lines of others stay")
  func moved() throws {
    let text = try write([
      ["DTSTART:20261120T090000Z", "RRULE:FREQ=DAILY"] + Self.alarm("TRIGGER:PT0S") + ["END:VEVENT"],
      ["RECURRENCE-ID:20261121T090000Z", "DTSTART:20261121T190000Z"] + Self.alarm("TRIGGER:PT0S") + ["END:VEVENT"],
    ])
    #expect(try scheduled() == ["21 19:00"])
    _ = try belfry.setChecked(true, [1])
    let (more, less) = try differences(from: text)
    #expect(less.isEmpty && more.filter { $0 == "ACKNOWLEDGED:20261121T190000Z" }.count == 2)
    #expect(try scheduled() == ["22 09:00"])
  }

  @Test("a snooze of a moved occurrence is written once, at its own alarm, and no two alarms share a UID")
  func snoozeOfMoved() throws {
    let text = try write([
      ["DTSTART:20261120T090000Z", "RRULE:FREQ=DAILY"] + Self.alarm("TRIGGER:PT0S") + ["END:VEVENT"],
      ["RECURRENCE-ID:20261121T090000Z", "DTSTART:20261121T075000Z", "DTEND:20261121T120000Z"]
        + Self.alarm("TRIGGER:PT0S") + Self.alarm("TRIGGER:PT0S") + ["END:VEVENT"],
    ])
    _ = try belfry.snooze(1, until: .after(Self.hour))
    let more = try differences(from: text).more
    #expect(more.count { $0.contains("RELTYPE=SNOOZE") } == 1, "\(more)")
    let uids = more.filter { $0.hasPrefix("UID:") }
    #expect(Set(uids).count == uids.count, "\(uids)")
    #expect(try scheduled().first == "21 09:00 s")
    #expect(try place.read().components(separatedBy: "BEGIN:VEVENT").last?.contains("RELTYPE=SNOOZE") == true)
  }

  @Test("the end of an event by itself writes nothing, and neither does a calendar that nobody may write")
  func silent() async throws {
    let text = try write([
      ["DTSTART:20261121T090000Z", "RRULE:FREQ=DAILY"] + Self.alarm("TRIGGER:PT0S") + ["END:VEVENT"]
    ])
    place.time.advance(by: 3_601)
    try await TestDaemon(belfry, sinks: []).tick()
    place.time.advance(by: 2 * 3_600)
    try belfry.store.tidy()
    _ = try belfry.planEdits()
    #expect(try place.read() == text)
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: place.path("home/a.ics"))
    _ = try belfry.planEdits()
    _ = try belfry.setChecked(true, [1])
    #expect(try place.read() == text && scheduled() == ["23 09:00"])
  }

  @Test("an answer to what rang is written with its time, and taken back with it")
  func pressed() async throws {
    let text = try write([
      ["DTSTART:20261121T080500Z", "DTEND:20261121T120000Z"] + Self.alarm("TRIGGER:PT0S") + ["END:VEVENT"]
    ])
    place.time.advance(by: 360)
    try await TestDaemon(belfry, sinks: []).tick()
    let reminder = try #require(
      try belfry.store.read { try $0.reminders(of: .item(1), at: nil, state: .fired) }.first)
    _ = try belfry.answer(Press(reminder: reminder.id, choice: .identifier("done"), channel: .cli))
    #expect(try differences(from: text).more.contains("ACKNOWLEDGED:20261121T080600Z"))
    let answer = try #require(try belfry.store.read { try $0.answers(of: .item(1)) }.last)
    _ = try belfry.takeBack(answer.id)
    #expect(try !place.read().contains("ACKNOWLEDGED") && belfry.store.items().map(\.isChecked) == [false])
  }

  @Test(
    "what another program writes at any step of acknowledgements stays, with them", arguments: ChangeStep.allCases,
    [[1], [2], [1, 2]] as [[Int64]])
  func interrupted(at step: ChangeStep, ids: [Int64]) throws {
    _ = try write([
      ["DTSTART:20261121T090000Z", "RRULE:FREQ=DAILY;COUNT=2"] + Self.alarm("TRIGGER:PT0S") + ["END:VEVENT"],
      ["RECURRENCE-ID:20261122T090000Z", "DTSTART:20261122T190000Z"] + Self.alarm("TRIGGER:-PT1H") + ["END:VEVENT"],
    ])
    let place = place
    let isDone = Mutex(false)
    let store = VdirStore(
      path: place.root, states: place.states, readsEvents: true, writesAcknowledged: true, zones: place.zones,
      time: place.time
    ) { reached in
      guard reached == step, !isDone.withLock({ exchange(&$0) }) else { return }
      if let text = try? place.read() { try? place.write(text.replacing("SUMMARY:Choir", with: "SUMMARY:Band")) }
    }
    var settings = Settings()
    settings.timeZone = .named("UTC")
    _ = try Belfry(store: store, settings: settings, time: place.time, zones: place.zones).setChecked(true, ids)
    #expect(isDone.withLock { $0 })
    let items = try belfry.store.items()
    #expect(items.map(\.text) == ["Band", "Band"] && items.filter(\.isChecked).map(\.id) == ids)
    let text = try place.read()
    #expect(text.contains("SUMMARY:Band"), "\(text)")
    #expect(text.contains("ACKNOWLEDGED:20261121T090000Z") == ids.contains(1), "\(text)")
    #expect(text.contains("ACKNOWLEDGED:20261122T180000Z") == ids.contains(2), "\(text)")
    #expect(try belfry.store.damage().isEmpty)
  }

  @Test("answers to two events of one file are one change of it, also after a kill at any of its steps")
  func together() throws {
    let text = try write([
      ["DTSTART:20261122T090000Z", "RRULE:FREQ=DAILY;COUNT=3"] + Self.alarm("TRIGGER:PT0S") + ["END:VEVENT"],
      ["RECURRENCE-ID:20261123T090000Z", "DTSTART:20261123T190000Z"] + Self.alarm("TRIGGER:-PT1H") + ["END:VEVENT"],
    ])
    let place = place
    let pictures = Mutex<[(step: ChangeStep, folder: String)]>([])
    let store = VdirStore(
      path: place.root, states: place.states, readsEvents: true, writesAcknowledged: true, zones: place.zones,
      time: place.time
    ) { step in
      pictures.withLock { pictures in
        // Another process copies, since SQLite's locks would end with a descriptor of this one.
        let folder = place.folder.file("picture-\(pictures.count)")
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = try? Program.output(["cp", "-a", place.root, place.states, folder])
        pictures.append((step, folder))
      }
    }
    var settings = Settings()
    settings.timeZone = .named("UTC")
    _ = try Belfry(store: store, settings: settings, time: place.time, zones: place.zones).setChecked(true, [1, 2])
    let (more, less) = try differences(from: text)
    let marks = ["ACKNOWLEDGED:20261122T090000Z", "ACKNOWLEDGED:20261123T180000Z"]
    #expect(less.isEmpty && more.filter { $0.hasPrefix("ACK") } == marks, "\(more)")
    #expect(try belfry.store.damage().isEmpty)
    let answered = try place.read()
    let taken = pictures.withLock(\.self)
    #expect(taken.map(\.step) == [.decided, .drafted, .committed, .exchanged, .compared, .cleared, .recorded])
    for (step, folder) in taken {
      for path in [place.root, place.states] {
        try FileManager.default.removeItem(atPath: path)
        let name = URL(filePath: path).lastPathComponent
        try FileManager.default.moveItem(atPath: "\(folder)/\(name)", toPath: path)
      }
      let store = place.open(readsEvents: true, writesAcknowledged: true)
      _ = try store.items()
      let isDecided = taken.firstIndex { $0.step == step } ?? 0 >= 2
      #expect(try place.read() == (isDecided ? answered : text), "killed after \(step)")
      #expect(try store.damage().isEmpty, "killed after \(step)")
    }
  }
}

private func exchange(_ done: inout Bool) -> Bool {
  defer { done = true }
  return done
}
