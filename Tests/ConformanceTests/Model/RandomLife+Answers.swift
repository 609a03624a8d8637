import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation

/// Answers in a random life, and their taking back.
extension RandomLife {
  func press() throws {
    let rung = model.facts.rings.filter { $0.value.state == .fired || $0.value.state == .cancelled }.map(\.key)
    guard let ring = rung.sorted(by: { "\($0)" < "\($1)" }).randomElement(using: &random) else { return }
    var words: [ActionOperation.Word] = [.acknowledge]
    if case .item = ring.owner { words += [.acknowledge, .check, .check, .delete] }
    let word = pick(words)
    let token = chance(60) ? "\(ring) \(word)" : nil
    let latest = chance(50) ? model.latest(ring) : nil
    tell("press \(word) on \(ring)\(token == nil ? "" : " by token"), latest \(latest ?? -1)")
    let reminder = try store.read { view in
      try view.reminders(of: ring.owner, at: ring.local, state: nil).first { $0.occurrence.lead == ring.lead }
    }
    guard let reminder else { throw Difference("there is no reminder of \(ring)") }
    // A list's own actions are the same for every list: they are named as in the message.
    let identifier = ring.owner.isList ? "ack" : word.rawValue
    let result = try belfry.answer(
      Press(
        reminder: reminder.id, choice: .identifier(identifier), channel: .link, externalID: token,
        isAuthenticated: true, latestAnswer: latest))
    let expected = try model.press(word, on: ring, token: token, latest: latest)
    guard NaiveOutcome(result) == expected else { throw Difference("\(result), not \(expected)") }
  }

  func takeBack() throws {
    guard let id = model.facts.answers.keys.sorted().randomElement(using: &random) else { return }
    guard model.facts.answers[id]?.word != .delete else { return }
    tell("take back \(id): \(model.facts.answers[id].map { "\($0)" } ?? "")")
    let isPossible: Bool
    do {
      _ = try belfry.takeBack(id)
      isPossible = true
    } catch let error as BelfryError where error.kind == .badInput {
      isPossible = false
    }
    guard try model.takeBack(id) == isPossible else {
      throw Difference("answer \(id) was \(isPossible ? "" : "not ")taken back")
    }
  }
}

extension NaiveOutcome {
  fileprivate init?(_ result: PressResult) {
    switch result {
    case .answered(let answer, false): self = .added(answer.id, answer.effect)
    case .answered(let answer, true): self = .repeated(answer.id)
    case .spent(let latest, _): self = .spent(latest)
    case .edit: return nil
    }
  }
}

extension ReminderOwner {
  fileprivate var isList: Bool { if case .list = self { true } else { false } }
}
