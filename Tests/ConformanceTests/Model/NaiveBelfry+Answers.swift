import BelfryModel
import Foundation

/// The details of an answer that are not compared with the store, and that taking it back needs.
struct GivenAnswer {
  var date: Date
  var token: String?
  /// The deliveries that it discarded and that nothing has resumed.
  var discarded: [Facts.Sending] = []
  /// The item after the answer, for one that checked it.
  var left: (item: Facts.Item, list: Int64?, checkedAt: Date?)?
}

/// The result of a press.
enum NaiveOutcome: Equatable {
  case added(Int64, Answer.Effect)
  case repeated(Int64)
  case spent(Int64)
}

extension NaiveBelfry {
  private static let order: [ActionOperation.Word] = [.acknowledge, .check, .delete]

  private func strength(_ word: ActionOperation.Word) -> Int { Self.order.firstIndex(of: word) ?? -1 }

  // MARK: Answers in force

  private func isStill(_ answer: Facts.Given) -> Bool {
    guard case .item(let id) = answer.ring.owner, let item = facts.items[id] else { return true }
    switch answer.word {
    case .check: return item.isChecked
    case .delete: return false
    default: return true
    }
  }

  private func inForce(over ring: Facts.Ring) -> Facts.Given? {
    facts.answers.values.filter { answer in
      answer.effect == .done && !answer.isTakenBack && answer.ring.owner == ring.owner
        && answer.ring.local == ring.local
        && (answer.word == .acknowledge ? answer.ring.lead == ring.lead : isStill(answer))
    }.max { strength($0.word) < strength($1.word) }
  }

  func isEnded(_ sending: Facts.Sending) -> Bool {
    switch sending.ring.owner {
    case .item(let id): if facts.items[id]?.isChecked ?? true { return true }
    case .list(let id): if facts.lists[id] == nil { return true }
    }
    return inForce(over: sending.ring) != nil
  }

  /// Updates the copies of an owner's deliveries, if the sink can do that.
  mutating func updateCopies(of owner: ReminderOwner) {
    for sending in facts.sendings.keys
    where sending.ring.owner == owner && sending.sink == Self.withdrawing && reached.contains(sending) {
      if isEnded(sending) {
        facts.answeredCopies.insert(sending)
      } else if isStillDue(sending.ring) {
        facts.answeredCopies.remove(sending)
      }
    }
  }

  private func isStillDue(_ ring: Facts.Ring) -> Bool {
    guard case .item(let id) = ring.owner else { return true }
    return facts.items[id]?.local == ring.local
  }

  // MARK: Answering

  private func effect(of word: ActionOperation.Word, on ring: Facts.Ring) -> Answer.Effect {
    if facts.rings[ring]?.state == .cancelled { return .gone }
    if let standing = inForce(over: ring), strength(word) <= strength(standing.word) { return .already }
    switch ring.owner {
    case .item(let id):
      guard let item = facts.items[id] else { return .gone }
      if word == .delete { return .done }
      if item.isChecked { return .already }
      return item.local == ring.local ? .done : .gone
    case .list(let id): return facts.lists[id] == nil ? .gone : .done
    }
  }

  /// The number of the latest answer to a reminder; 0 for none.
  func latest(_ ring: Facts.Ring) -> Int64 { facts.answers.filter { $0.value.ring == ring }.keys.max() ?? 0 }

  mutating func press(
    _ word: ActionOperation.Word, on ring: Facts.Ring, token: String?, latest number: Int64?
  ) throws -> NaiveOutcome {
    begin()
    let effect = effect(of: word, on: ring)
    if let token, let earlier = given.filter({ $0.value.token == token }).keys.max(), let known = facts.answers[earlier]
    {
      let isSame = known.effect == .done ? !known.isTakenBack && isStill(known) : known.effect == effect
      if isSame { return .repeated(earlier) }
      if number != latest(ring) { return .spent(latest(ring)) }
    }
    let id = Int64(facts.answers.count + 1)
    facts.answers[id] = Facts.Given(ring: ring, word: word, effect: effect)
    var answer = GivenAnswer(date: second, token: token)
    if effect == .done {
      let before = facts.sendings
      try carryOut(word, on: ring)
      for (sending, state) in before where state.state == .pending && sending.ring.owner == ring.owner {
        if isEnded(sending), facts.sendings[sending]?.state == .pending { close(sending, .discarded) }
        if facts.sendings[sending]?.state == .discarded { answer.discarded.append(sending) }
      }
      if case .item(let item) = ring.owner, word == .check, let left = facts.items[item] {
        answer.left = (left, list(of: item), checkedAt[item])
      }
      updateCopies(of: ring.owner)
    }
    given[id] = answer
    return .added(id, effect)
  }

  private mutating func carryOut(_ word: ActionOperation.Word, on ring: Facts.Ring) throws {
    guard case .item(let id) = ring.owner else { return }
    switch word {
    case .check: try check([id], true)
    case .delete: try delete([id])
    default: break
    }
  }

  // MARK: Taking back

  /// Takes back an answer; false if it cannot be taken back.
  mutating func takeBack(_ id: Int64) throws -> Bool {
    guard let answer = facts.answers[id], let more = given[id] else { return false }
    if answer.isTakenBack { return true }
    guard answer.effect == .done, now.timeIntervalSince(more.date) <= 86_400 else { return false }
    if let left = more.left {
      guard case .item(let item) = answer.ring.owner, let present = facts.items[item] else { return false }
      var (one, other) = (left.item, present)
      (one.instant, other.instant) = (nil, nil)
      guard one == other, left.list == list(of: item), left.checkedAt == checkedAt[item] else { return false }
      begin()
      let instant = try present.local.map { try resolve($0, present.zone) }
      facts.items[item]?.instant = instant
      try check([item], false)
    }
    facts.answers[id]?.isTakenBack = true
    for number in given.keys.sorted() {
      guard let other = facts.answers[number], other.isTakenBack, other.ring.owner == answer.ring.owner,
        now.timeIntervalSince(given[number]?.date ?? .distantPast) <= 86_400
      else { continue }
      var owed: [Facts.Sending] = []
      for sending in given[number]?.discarded ?? [] where !resume(sending) { owed.append(sending) }
      given[number]?.discarded = owed
    }
    updateCopies(of: answer.ring.owner)
    return true
  }

  // False where its reminder is still ended: it is resumed later.
  private mutating func resume(_ sending: Facts.Sending) -> Bool {
    guard let state = facts.sendings[sending], state.state == .discarded else { return true }
    guard !isEnded(sending) else { return false }
    let now = second
    facts.sendings[sending]?.state = .pending
    facts.sendings[sending]?.closed = nil
    facts.sendings[sending]?.next = now
    facts.sendings[sending]?.permittedFrom = max(state.permittedFrom, now)
    return true
  }
}
