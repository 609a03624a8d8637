import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime

/// The sheet of a reminder, from which its page is made.
@Suite struct ReminderSheetTests {
  private let fixture: AnswerFixture

  init() throws {
    fixture = try AnswerFixture()
    try fixture.add(nag: "15m")
  }

  private func sheet(_ reminder: Reminder? = nil) throws -> ReminderSheet {
    try fixture.engine.belfry.sheet(of: try reminder?.id ?? Check.present(fixture.fired().last).id)
  }

  @Test("it has the content as it was sent, how late it came, and each action with what it would destroy")
  func content() throws {
    try fixture.ring("10:07")
    try fixture.engine.edit { $0.text = "Oat milk" }
    let sheet = try sheet()
    #expect(sheet.content.text == "Milk" && sheet.content.listName == "Groceries" && sheet.lateSeconds == 420)
    #expect(sheet.offers.map(\.number) == Array(1...8) && sheet.offers.allSatisfy { $0.obstacle == nil })
    #expect(
      sheet.offers.compactMap(\.consequence) == [
        "Deletes 'Oat milk'.", "Deletes what is on the list 'Groceries'.",
        "Deletes the list 'Groceries' with what is on it.",
      ])
    #expect(sheet.answer == nil && sheet.standing == nil && sheet.latestAnswer == 0 && sheet.takeBackEnd == nil)
  }

  @Test("it counts how late the first delivery came, once there is one")
  func delivered() throws {
    try fixture.ring("10:01")
    let delivery = try only(fixture.engine.deliveries())
    try fixture.engine.setClock("2026-11-21T10:30:00+01:00")
    let now = fixture.engine.time.now
    try fixture.engine.store.write { transaction in
      _ = try transaction.closeDelivered(
        by: AttemptRecord(deliveryID: delivery.id, startedAt: now, outcome: .delivered), at: now)
    }
    #expect(try sheet().lateSeconds == 1_800)
  }

  @Test("the answer in force, what it leaves to press, and how long it can be taken back")
  func answered() throws {
    try fixture.ring("10:00")
    let answer = try fixture.answer(.snooze)
    let sheet = try sheet()
    #expect(sheet.answer == answer && sheet.latestAnswer == answer.id && sheet.standing == nil)
    #expect(sheet.takeBackEnd == answer.date.addingTimeInterval(86_400))
    let open = sheet.offers.filter { $0.obstacle == nil }.map(\.action.identifier)
    #expect(open == ["check", "edit", "delete", "clear_list", "delete_list"])
    fixture.engine.time.advance(by: 86_401)
    #expect(try self.sheet().takeBackEnd == nil)
  }

  @Test("what became of the item is said in words")
  func standing() throws {
    try fixture.ring("10:00")
    _ = try fixture.engine.belfry.setChecked(true, [1])
    #expect(try sheet().standing == "'Milk' was checked Sat 21 Nov 2026 10:00 CET")
    #expect(try sheet().offers.first { $0.action.identifier == "edit" }?.obstacle == nil)
    _ = try fixture.engine.belfry.delete([1])
    let gone = try sheet()
    #expect(gone.standing == "the item was deleted" && gone.content.text == "Milk")
    #expect(gone.offers.allSatisfy { $0.obstacle == "the item was deleted" })
  }

  @Test("a repeating item has moved on")
  func movedOn() throws {
    try fixture.add("Walk", due: "2026-11-21T10:00", rule: "FREQ=DAILY")
    try fixture.ring("10:00")
    let first = try Check.present(fixture.fired(.item(2)).first)
    _ = try fixture.engine.belfry.setChecked(true, [2])
    #expect(try sheet(first).standing == "'Walk' has moved on to Sun 22 Nov 2026 10:00 CET")
  }

  @Test("a reminder that has not rung shows its item as it is; one of which nothing is left is not found")
  func withoutMessage() throws {
    let scheduled = try only(fixture.engine.store.read { try $0.reminders(of: .item(1), at: nil, state: .scheduled) })
    let sheet = try sheet(scheduled)
    #expect(sheet.content.text == "Milk" && sheet.lateSeconds == 0)
    _ = try fixture.engine.belfry.delete([1])
    #expect(errorKind { try self.sheet(scheduled) } == .notFound)
    #expect(errorKind { try fixture.engine.belfry.sheet(of: UUID()) } == .notFound)
  }

  @Test("reading it changes nothing")
  func reading() throws {
    try fixture.ring("10:00")
    let digest = try fixture.engine.store.read(StoreDigest.init)
    _ = try sheet()
    #expect(try fixture.engine.store.read(StoreDigest.init) == digest)
  }

  @Test("over a reminder only its own answers are taken back, and undo goes on to take back the last command")
  func ownAnswers() throws {
    try fixture.add("Bread")
    try fixture.ring("10:00")
    let (milk, bread) = (try Check.present(fixture.fired().last), try Check.present(fixture.fired(.item(2)).last))
    let answer = try fixture.answer(.check, on: milk)
    #expect(errorKind { try fixture.engine.belfry.takeBack(answer.id, over: bread.id) } == .notFound)
    #expect(errorKind { try fixture.engine.belfry.takeBack(99, over: milk.id) } == .notFound)
    let command = try fixture.engine.store.read { try $0.undoRecords(.undo).first?.content }
    #expect(try fixture.engine.belfry.takeBack(answer.id, over: milk.id).answer.takenBackAt != nil)
    #expect(try fixture.items() == ["1 Milk", "2 Bread"])
    #expect(try command != nil && fixture.engine.store.read { try $0.undoRecords(.undo).first?.content } == command)
  }
}
