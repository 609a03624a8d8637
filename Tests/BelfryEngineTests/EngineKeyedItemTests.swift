import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime
@testable import RecurrenceRules

/// Items that a program adds and checks under a key of its own. It is 09:00 in Zurich on 2026-11-21.
@Suite struct EngineKeyedItemTests {
  private let fixture: EscalationFixture
  private var engine: EngineFixture { fixture.engine }

  init() throws { fixture = try EscalationFixture() }

  @discardableResult
  private func add(
    _ text: String = "Down", key: String = "nas", due: String? = nil, words: String = "in 1 minute",
    _ change: (inout ItemEdit) throws -> Void = { _ in }
  ) throws -> KeyedChange {
    var fields = ItemEdit()
    if let due { (fields.due, fields.shouldRemind) = (.at(try wall("2026-11-21T\(due)")), true) }
    try change(&fields)
    return try engine.belfry.add(
      KeyedItem(
        key: key, text: text, fields: fields, dueWords: due == nil ? nil : words,
        defaultList: ListChoice("Groceries", createsMissing: true)))
  }

  private func keys() throws -> [String?] { try engine.store.read { try $0.items().map(\.key) } }

  // MARK: Adding

  @Test("the first time adds, later times change what they name and nothing else")
  func changes() throws {
    let first = try add(due: "10:00") { $0.notes = "seen by ping" }
    #expect(first.effect == .added && first.change.schedule.scheduled.count == 1)
    #expect(try engine.item().key == "nas")
    _ = try engine.belfry.createList("Work")
    let second = try add("Down for long", due: "11:00", words: "at 11") { edit in
      edit.category = "all"
      edit.list = ListChoice("Work")
      edit.alerts = [try lead("10m")]
    }
    let item = try engine.item()
    #expect(second.effect == .changed && second.change.listing.item == item)
    #expect(second.change.listing.listName == "Work" && item.key == "nas" && item.notes == "seen by ping")
    #expect(item.text == "Down for long" && item.category == "all")
    #expect(try engine.scheduled() == ["2026-11-21T10:50+01:00"])
    #expect(try add("Up", key: "router").change.listing.item.id == 2)
    #expect(try keys() == ["nas", "router"])
  }

  @Test("what is already so is not written again, and leaves the change before it to be undone")
  func unchanged() throws {
    try add(due: "10:00") { $0.notes = "seen by ping" }
    try engine.edit { $0.nag = .set(try lead("5m")) }
    let before = try engine.item()
    try engine.setClock("2026-11-21T09:30:00+01:00")
    for change in [{ _ in }, { $0.notes = "seen by ping" }] as [(inout ItemEdit) -> Void] {
      #expect(try add(due: "10:30", change).effect == .unchanged)
    }
    #expect(try engine.item() == before)
    #expect(try engine.belfry.undo().command == "edit")
  }

  @Test("a key is one line of 1 to 200 bytes, without the white space around it")
  func keyRules() throws {
    try add(key: " nas ")
    #expect(try add(key: "nas").effect == .unchanged)
    for key in ["", " ", "a\nb", "a\u{7}", String(repeating: "x", count: 201)] {
      for use in [{ try add(key: key) }, { _ = try engine.belfry.check(key: key) }] as [() throws -> Void] {
        let error = #expect(throws: BelfryError.self) { try use() }
        #expect(error?.kind == .badInput && error?.message.contains("the key") == true)
      }
    }
    #expect(try keys() == ["nas"])
  }

  @Test("one that cannot be changes nothing")
  func refused() throws {
    try add(due: "10:00")
    let before = try engine.item()
    for change in [{ $0.list = ListChoice("Nowhere") }, { $0.notes = "a\u{7}" }] as [(inout ItemEdit) -> Void] {
      #expect(throws: BelfryError.self) { try add("Other", change) }
      #expect(throws: BelfryError.self) { try add("Other", key: "other", change) }
    }
    #expect(try engine.item() == before)
    #expect(try keys() == ["nas"])
  }

  // MARK: Ringing

  @Test("the same words once more neither ring again nor begin the escalation anew")
  func repeated() throws {
    try add(due: "10:00")
    #expect(try fixture.ring("10:00") == ["anna-phone 1.1"])
    try engine.setClock("2026-11-21T10:05:00+01:00")
    #expect(try add(due: "10:06", words: " in  1 minute\n").effect == .unchanged)
    #expect(try add("Down for 5 minutes", due: "10:06").effect == .changed)
    #expect(try fixture.steps() == ["2.1 10:10"])
    #expect(try fixture.ring("10:09").isEmpty)
    #expect(try fixture.ring("10:10") == ["ben-phone 2.1"])
    #expect(try engine.item().due?.local == wall("2026-11-21T10:00"))
  }

  @Test("the same words leave a date that a person has changed; other words re-date it, and end its escalation")
  func redated() throws {
    try add(due: "10:00")
    try engine.edit { $0.due = .at(try wall("2026-11-21T12:00")) }
    #expect(try add(due: "10:00").effect == .unchanged)
    try engine.edit { $0.due = .at(try wall("2026-11-21T10:00")) }
    try fixture.ring("10:00")
    #expect(try add(due: "10:30", words: "10:30").effect == .changed)
    #expect(try fixture.steps().isEmpty)
    #expect(try add(due: "11:00", words: "10:30").effect == .unchanged)
    #expect(try fixture.ring("10:30") == ["anna-phone 1.1"])
  }

  @Test("checked and added again it is the same item, open, and rings by an escalation of its own")
  func opened() throws {
    try add(due: "10:00")
    try fixture.ring("10:00")
    let checked = try only(engine.belfry.check(key: "nas"))
    #expect(checked.listing.item.isChecked)
    #expect(try fixture.ring("10:10").isEmpty)
    let opened = try add(due: "10:11")
    #expect(opened.effect == .opened && opened.change.listing.item.id == 1)
    #expect(try !engine.item().isChecked && engine.item().checkedAt == nil)
    #expect(try fixture.ring("10:11") == ["anna-phone 1.1"])
    #expect(try fixture.steps() == ["2.1 10:21"])
    #expect(try fixture.ring("10:21") == ["ben-phone 2.1"])
  }

  @Test("checked and added again at the same date, it nags on")
  func nagsOn() throws {
    func add(_ due: String? = nil) throws -> KeyedChange {
      try self.add(due: due) { edit in
        (edit.list, edit.nag) = (ListChoice("Without steps", createsMissing: true), .set(try lead("5m")))
      }
    }
    #expect(try add("10:00").effect == .added)
    try engine.setClock("2026-11-21T10:00:00+01:00")
    try engine.claim()
    #expect(try fixture.answers.extra() == ["nag 10:05"])
    _ = try engine.belfry.check(key: "nas")
    try engine.setClock("2026-11-21T10:08:00+01:00")
    let opened = try add()
    #expect(opened.effect == .opened)
    #expect(opened.change.schedule.scheduled.map(\.date) == [try instant("2026-11-21T10:13:00+01:00")])
    #expect(try fixture.answers.extra() == ["nag 10:13"])
  }

  @Test("checked before it rang and added again within the same minute, it rings once")
  func openedAtOnce() throws {
    try add(due: "10:00")
    _ = try engine.belfry.check(key: "nas")
    #expect(try add(due: "10:00").effect == .opened)
    #expect(try fixture.ring("10:00") == ["anna-phone 1.1"])
    _ = try engine.belfry.check(key: "nas")
    #expect(try add(due: "10:00").change.schedule.scheduled.isEmpty)
    #expect(try fixture.ring("10:01").isEmpty)
  }

  @Test("a repeating item goes on as it is where the same command comes again")
  func repeating() throws {
    func daily(_ due: String, _ rule: String = "FREQ=DAILY;COUNT=5") throws -> KeyedChange {
      try add(due: due, words: "10:00") { $0.rule = .set(try RecurrenceRule(rule)) }
    }
    #expect(try daily("10:00").effect == .added)
    try fixture.ring("10:00")
    _ = try engine.belfry.check(key: "nas")
    let moved = try engine.item()
    #expect(try moved.due?.local == wall("2026-11-22T10:00") && !moved.isChecked)
    #expect(try daily("10:00").effect == .unchanged)
    #expect(try engine.item() == moved)
    #expect(try daily("10:00", "FREQ=WEEKLY").effect == .changed)
    #expect(try engine.item().recurrence?.start == moved.due?.local)
  }

  @Test("a copy of the event before stays closed, and the new one rings by a message of its own")
  func copies() async throws {
    let phone = RecordingSink(canWithdraw: true)
    let daemon = try TestDaemon(engine.belfry, sinks: [ActiveSink(name: "anna-phone", sink: phone)])
    var told: [Message.Kind] { phone.attempts.map(\.message.kind) }
    try add(due: "10:00")
    try engine.setClock("2026-11-21T10:00:00+01:00")
    try await daemon.tick()
    _ = try engine.belfry.check(key: "nas")
    try await daemon.tick()
    #expect(told == [.fired, .answered])
    try add(due: "10:01")
    try await daemon.tick()
    #expect(told == [.fired, .answered])
    try engine.setClock("2026-11-21T10:01:00+01:00")
    try await daemon.tick()
    try fixture.answers.answer(.acknowledge)
    try await daemon.tick()
    #expect(told == [.fired, .answered, .fired, .answered])
    #expect(phone.attempts.last?.message.update?.messageID == phone.attempts[2].message.id)
  }

  // MARK: Checking

  @Test("checking again changes nothing, and an unknown key is an error")
  func check() throws {
    try add()
    _ = try engine.belfry.check(key: "nas")
    let before = try engine.item()
    engine.time.advance(by: 60)
    #expect(try only(engine.belfry.check(key: "nas")).listing.item == before)
    let error = #expect(throws: BelfryError.self) { try engine.belfry.check(key: "router") }
    #expect(error?.kind == .notFound && error?.message.contains("'router'") == true)
  }

  // MARK: Undo

  @Test("undo takes each of them back")
  func undo() throws {
    try add(due: "10:00")
    _ = try engine.belfry.undo()
    #expect(try keys().isEmpty)
    try add(due: "10:00")
    let added = try engine.item(2)
    try add("Down for long", due: "11:00", words: "at 11")
    _ = try engine.belfry.undo()
    #expect(try engine.item(2) == added)
    try fixture.ring("10:00")
    _ = try engine.belfry.check(key: "nas")
    let checked = try engine.item(2)
    try engine.setClock("2026-11-21T10:01:00+01:00")
    try add(due: "10:02")
    #expect(try engine.belfry.undo().command == "add")
    var undone = try engine.item(2)
    undone.updatedAt = checked.updatedAt
    #expect(undone == checked)
    #expect(try fixture.ring("10:02").isEmpty)
  }
}
