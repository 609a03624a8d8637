import BelfryEngine
import BelfryModel
import CivilTime
import Foundation
import Testing

/// Runs a scenario of reminders that ring until somebody answers through Belfry.
final class EscalationRun {
  /// A reminder that rang longer ago is not answered: the history is pruned.
  private static let answerableSpan: TimeInterval = 14 * 86_400

  private let scenario: Scenario
  private let machine: SimulatedMachine
  private var lines: [String] = []
  private var people: [Int64: String] = [:]
  /// The reminders of each item and list that rang, with the instant, in order.
  private var rung: [ReminderOwner: [(instant: Date, id: UUID)]] = [:]
  private var known: Set<UUID> = []
  private var answered = AnsweredRingings()
  private var noted = 0

  init(_ scenario: Scenario) throws {
    self.scenario = scenario
    machine = try SimulatedMachine(clock: Date(second: scenario.start), zone: scenario.zone)
    machine.faults = scenario.faults ?? [:]
  }

  /// The attempts, refused commands and outcomes of presses, one on each line as in `Oracle/escalation_model.py`.
  func run() async throws -> [String] {
    for list in scenario.lists { _ = try machine.belfry.createList(list) }
    for (number, event) in scenario.events.enumerated() {
      try await machine.advance(to: Date(second: event.at))
      try noteRingings()
      if let outcome = try await outcome(of: event) { lines.append("event \(number) \(outcome)") }
      try await machine.noticeChange()
      machine.lookInAMinute()
      try noteRingings()
    }
    try await machine.advance(to: Date(second: scenario.end))
    try noteRingings()
    return lines
  }

  private func outcome(of event: ScenarioEvent) async throws -> String? {
    do {
      switch event.kind {
      case .press: return try press(event)
      case .takeBack: return try takeBack(event)
      default:
        try await event.happen(on: machine)
        if event.kind == .uncheck { answered.reopen(.item(event.item)) }
        return nil
      }
    } catch let error as BelfryError where [.notFound, .usage, .badInput].contains(error.kind) {
      return "refused"
    }
  }
}

// MARK: Answers

extension EscalationRun {
  private func owner(_ event: ScenarioEvent) throws -> ReminderOwner {
    guard let name = event.list else { return .item(event.item) }
    return try machine.store.read { .list(try #require(try $0.list(named: name)).id) }
  }

  private func press(_ event: ScenarioEvent) throws -> String {
    let owner = try owner(event)
    let pressed = (rung[owner] ?? []).dropLast(event.pick ?? 0).last
    guard let pressed, isAnswerable(pressed.instant) else { return "nothing to answer" }
    let press = Press(
      reminder: pressed.id, choice: .identifier(try #require(event.action)),
      channel: try #require(event.channel.flatMap { Answer.Channel(kept: $0) }),
      author: .number(try number(of: event.person)),
      externalID: event.token, isAuthenticated: event.isSignedIn ?? false)
    switch try machine.belfry.answer(press) {
    case .answered(let answer, let isRepetition):
      guard !isRepetition else { return "repeated" }
      if answer.effect == .done { try note(answer) }
      return answer.effect.name
    case .spent: return "spent"
    case .edit: return "edit"
    }
  }

  private func takeBack(_ event: ScenarioEvent) throws -> String {
    let owner = try owner(event)
    let done = try machine.store.read { try $0.answers(of: owner) }.filter { $0.effect == .done }
    guard let answer = done.dropLast(event.pick ?? 0).last, isAnswerable(answer.date) else {
      return "nothing to take back"
    }
    _ = try machine.belfry.takeBack(answer.id)
    answered.reopen(owner)
    return "taken back"
  }

  private func isAnswerable(_ instant: Date) -> Bool {
    machine.time.now.timeIntervalSince(instant) <= Self.answerableSpan
  }

  private func note(_ answer: Answer) throws {
    answered.note(answer, try machine.store.read { try $0.reminders(of: answer.owner) })
  }

  private func number(of person: String?) throws -> Int64 {
    guard let person else { return 0 }
    let known = try machine.store.write { try $0.addPerson(named: person) }
    people[known.number] = known.name
    return known.number
  }
}

// MARK: Attempts

extension EscalationRun {
  private func noteRingings() throws {
    let new = machine.ringings[noted...]
    guard !new.isEmpty else { return }
    noted += new.count
    for person in try machine.store.read({ try $0.people() }) { people[person.number] = person.name }
    var found: [(instant: Date, owner: ReminderOwner, words: String, id: UUID)] = []
    for ringing in new {
      let words = try words(ringing)
      lines.append("\(Int(ringing.instant.timeIntervalSince1970)) \(words) > \(recipient(ringing.attempt))")
      guard known.insert(ringing.reminder.id).inserted else { continue }
      found.append((ringing.instant, ringing.reminder.occurrence.owner, words, ringing.reminder.id))
    }
    // The reminders of one tick are sent by many sinks at once.
    for each in found.sorted(by: { ($0.instant, $0.words) < ($1.instant, $1.words) }) {
      rung[each.owner, default: []].append((each.instant, each.id))
    }
    for (_, attempt) in Dictionary(grouping: new, by: \.attempt) {
      let isOver = attempt.map { answered.includes($0.reminder) }.allSatisfy { $0 }
      let words = try attempt.map(words).joined(separator: ", ")
      #expect(!isOver, "\(words) rang after its answer")
    }
  }

  private func words(_ ringing: SimulatedMachine.Ringing) throws -> String {
    let occurrence = ringing.reminder.occurrence
    let owner =
      switch occurrence.owner {
      case .item(let id): "item \(id)"
      case .list: "list \(ringing.content.listName)"
      }
    let kind =
      switch occurrence.kind {
      case .planned: "planned"
      case .snooze: "snooze"
      case .nag: "nag"
      case .escalation(let place): "step \(place.run) \(place.step) \(place.ring)"
      }
    let words =
      "\(owner) \(occurrence.wallTime) \(occurrence.lead.iso8601) \(kind) \(ringing.reminder.fireDate.secondsSinceEpoch)"
    guard occurrence.kind.isEscalation else { return words }
    let note = try #require(ringing.content.escalation)
    let since = try #require(parseRFC3339("\(note.since)"))
    return "\(words) since \(Int(since.timeIntervalSince1970)) of \(note.of) \(note.name)"
  }

  private func recipient(_ attempt: DeliveryAttempt) -> String {
    let person = attempt.message.person
    return "\(attempt.message.sink) \(person == 0 ? "-" : people[person] ?? "unknown") \(attempt.recipient ?? "-")"
  }
}
