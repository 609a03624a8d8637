import BelfryTestKit
import Foundation
@testable import BelfryEngine
@testable import BelfryModel
@testable import CivilTime
@testable import RecurrenceRules

/// Belfry whose reminders offer every operation, each under its word.
struct AnswerFixture {
  var engine: EngineFixture

  init(zone: String = "Europe/Zurich", store: (any ItemStore)? = nil) throws {
    engine = EngineFixture(zone: zone)
    if let store { engine.store = store }
    let hour = try CalendarDuration(parsing: "1h")
    engine.settings.actions = ActionOperation.Word.allCases.map { word in
      CategoryAction(
        identifier: word.rawValue, title: word.rawValue, operation: ActionOperation(word, snooze: hour))
    }
    engine.settings.categories = [Category(identifier: "all", actions: engine.settings.actions)]
  }

  /// Adds an item that nags or repeats.
  func add(
    _ text: String = "Milk", due: String? = "2026-11-21T10:00", to list: String = "Groceries", nag: String? = nil,
    rule: String? = nil, alerts: [String] = []
  ) throws {
    let id = try engine.add(text, to: list, due: due, alerts: alerts).listing.item.id
    try engine.edit(id) { edit in
      if let nag { edit.nag = .set(try CalendarDuration(parsing: nag)) }
      if let rule { edit.rule = .set(try RecurrenceRule(rule)) }
    }
  }

  /// Sets the clock in Zurich, as in `10:00` of the first day or `11-22T10:00`, and claims what is due.
  func ring(_ time: String, sinks: [String] = ["sink"]) throws {
    try engine.setClock("2026-\(time.contains("T") ? time : "11-21T\(time)"):00+01:00")
    try engine.claim(sinks)
  }

  /// The reminders of an owner that have fired, in order.
  func fired(_ owner: ReminderOwner = .item(1)) throws -> [Reminder] {
    try engine.store.read { try $0.reminders(of: owner, at: nil, state: .fired) }.sorted { $0.fireDate < $1.fireDate }
  }

  /// The scheduled nags and snoozes, as `nag 10:15` or `snooze 11:00`, on the clock of Zurich.
  func extra(_ owner: ReminderOwner = .item(1)) throws -> [String] {
    try engine.belfry.read { reading in
      try reading.view.reminders(of: owner, at: nil, state: .scheduled).filter { $0.occurrence.kind != .planned }
        .sorted { $0.fireDate < $1.fireDate }.map { reminder in
          "\(reminder.occurrence.kind.name) "
            + "\(reading.planner.floatingZone.wallTime(at: reminder.fireDate.date).time)"
        }
    }
  }

  /// Presses an action of the last reminder that fired, or of another.
  @discardableResult
  func press(
    _ word: ActionOperation.Word, on reminder: Reminder? = nil, of owner: ReminderOwner = .item(1),
    by author: Press.Author = .number(0), as externalID: String? = nil, latest: Int64? = nil,
    isAuthenticated: Bool = true, command: String? = nil
  ) throws -> PressResult {
    let reminder = try reminder ?? Check.present(fired(owner).last)
    return try engine.belfry.answer(
      Press(
        reminder: reminder.id, choice: .identifier(word.rawValue), channel: .link, author: author,
        externalID: externalID,
        isAuthenticated: isAuthenticated, latestAnswer: latest, command: command))
  }

  /// The same, as the answer that is kept.
  @discardableResult
  func answer(
    _ word: ActionOperation.Word, on reminder: Reminder? = nil, of owner: ReminderOwner = .item(1),
    by author: Press.Author = .number(0)
  ) throws -> Answer {
    let result = try press(word, on: reminder, of: owner, by: author)
    guard case .answered(let answer, _) = result else { throw Unexpected("\(result)") }
    return answer
  }

  @discardableResult
  func takeBack(_ answer: Answer) throws -> TakenBack { try engine.belfry.takeBack(answer.id) }

  /// Every answer, oldest first.
  func answers() throws -> [Answer] {
    var answers: [Answer] = []
    try engine.store.read { try $0.forEachAnswer(limit: nil) { answers.append($0) } }
    return answers.reversed()
  }

  /// The items that are there, as `1 Milk` or `1 Milk checked`.
  func items() throws -> [String] {
    try engine.store.read { try $0.items(ItemQuery(checked: .any, order: .place)) }
      .map { "\($0.id) \($0.text)\($0.isChecked ? " checked" : "")" }
  }

  /// The due date of item 1, as its clock shows it.
  func due() throws -> String? { try engine.item().due?.local.description }
}
