/// Takes each event of a trace as a step of the model, which must permit it in the state that it has reached.
///
/// What cannot be seen is filled in: that a request was answered, that a second has gone by since an answer, that a
/// daemon has looked at a row again, that its lease has ended.
package struct TraceReplay {
  /// An event that the model refuses.
  package struct Finding: Error, CustomStringConvertible {
    /// The number of the event, from 0; of none at the end.
    package let place: Int
    package let event: TraceEvent?
    package let reason: String
    package let state: String
    /// The last events before it.
    package let before: [TraceEvent]

    package var description: String {
      let what = event.map { "event \(place), \($0.kind) at \($0.time)" } ?? "the end"
      let before = before.map { "\($0.kind) at \($0.time)" }.joined(separator: ", ")
      return "\(what): \(reason); \(state); before it: \(before)"
    }
  }

  private struct Refused: Error {
    let reason: String

    init(_ refusal: DaemonModel.Refusal) { reason = refusal.rawValue }
    init(_ reason: String) { self.reason = reason }
  }

  private let model: DaemonModel
  private let attempts: TraceAttempts
  private var state = DaemonModel.State(sinks: 0)
  // The places in the model of sinks by name, of daemons by their numbers as members, of reminders by their items, and
  // of deliveries by their ids.
  private var sinks: [String: Int] = [:]
  private var daemons: [Int: Int] = [:]
  private var items: [Int: Int] = [:]
  private var deliveries: [Int: Int] = [:]
  /// The member of each daemon in the model, with its process.
  private var members: [(number: Int, process: Int)] = []
  /// The processes that are stopped.
  private var stopped: Set<Int> = []
  /// The processes that were told to read their config again, and may not have done so yet.
  private var reloading: Set<Int> = []
  /// What happens at a time of its own, earliest first.
  private var due: [(time: Double, step: DaemonModel.Step)] = []

  private init(_ model: DaemonModel, _ attempts: TraceAttempts) { (self.model, self.attempts) = (model, attempts) }

  /// The first event that the model refuses; `nil` if it permits all.
  ///
  /// - Parameters:
  ///   - events: in the order in which they took effect.
  ///   - slots: the number of attempts of each sink that may be under way at once.
  ///   - missing: the rule that the model does without.
  package static func finding(
    in events: [TraceEvent], slots: Int, without missing: DaemonModel.Rule? = nil
  ) -> Finding? {
    var replay = TraceReplay(DaemonModel(slots: slots, without: missing), TraceAttempts(events))
    do throws(Finding) {
      for place in events.indices { try replay.take(events[place], at: place, after: events[..<place]) }
      try replay.end(after: events)
      return nil
    } catch {
      return error
    }
  }

  private mutating func take(
    _ event: TraceEvent, at place: Int, after before: ArraySlice<TraceEvent>
  ) throws(Finding) {
    do throws(Refused) {
      while let next = due.first, next.time < event.time {
        due.removeFirst()
        pass(next.step)
      }
      try take(event.kind, at: place, time: event.time)
    } catch {
      throw Finding(
        place: place, event: event, reason: error.reason, state: words(of: event.kind.delivery),
        before: before.suffix(12))
    }
  }

  private func end(after events: [TraceEvent]) throws(Finding) {
    guard let open = deliveries.filter({ state.deliveries[$0.value].row == .pending }).keys.min() else { return }
    throw Finding(
      place: events.count, event: nil, reason: DaemonModel.Promise.nothingLost.rawValue, state: words(of: open),
      before: events.suffix(12))
  }

  // MARK: Events

  private mutating func take(_ kind: TraceEvent.Kind, at place: Int, time: Double) throws(Refused) {
    switch kind {
    case .joined(let member, let process): try join(member, process)
    case .left(let member): try apply(.leave(daemon(member)))
    case .evicted(let member, let isOver): try evict(member, isOver: isOver || attempts.ends(member, at: time))
    case .led(let member, let term):
      try apply(.lead(daemon(member)))
      try compare(term, with: state.leader.term)
    case .leased(let name, let member, let term): try lease(sink(name), to: member, under: term)
    case .claimed(let id, let item, let name, let member):
      if items[item] == nil { items[item] = add(to: sink(name)) }
      try add(id, at: items[item])
      guard let member else { throw Refused(.doesNotLead) }
      try apply(.claim(daemon(member), delivery(id)))
    case .written(let id, let name):
      try add(id, at: add(to: sink(name)))
      try apply(.write(delivery(id)))
    case .begun(let id, let member, let term):
      try begin(delivery(id), by: daemon(member))
      try compare(term, with: state.deliveries[delivery(id)].begunTerm)
    case .unbegun(let id):
      let number = try delivery(id)
      guard let holder = state.leases[state.deliveries[number].sink].holder else { throw Refused(.hasNoLease) }
      try apply(.unbegin(holder, number))
    case .recorded(let id, let isDelivered, _):
      let (number, sender) = try (delivery(id), sender(at: place))
      try apply(isDelivered ? .record(sender, number) : .fail(sender, number))
    case .lost(let id): try apply(.lose(delivery(id)))
    case .answered(let item, let cancelled): try answer(item, cancelling: cancelled, at: time)
    case .cancelled(let id): try apply(.cancel(delivery(id)))
    case .arrived(let id):
      let (number, sender) = try (delivery(id), sender(at: place))
      try apply(.send(sender, number))
      try apply(.end(sender, number))
    case .ended(let process):
      let numbers = members.indices.filter { members[$0].process == process }
      for number in numbers { schedule(.crash(number), at: time + TraceAttempts.travel) }
    case .stopped(let process): stopped.insert(process)
    case .continued(let process): stopped.remove(process)
    case .reloaded(let process): reloading.insert(process)
    }
  }

  private mutating func join(_ member: Int, _ process: Int) throws(Refused) {
    guard daemons[member] == nil else { throw Refused("the member's number was given before") }
    daemons[member] = members.count
    members.append((member, process))
    state.daemons.append(DaemonModel.State.Daemon())
    try apply(.join(members.count - 1))
  }

  // Whatever has kept a daemon from renewing its lease, it may go on afterwards.
  private mutating func evict(_ member: Int, isOver: Bool) throws(Refused) {
    let number = try daemon(member)
    let isPaused = isOver && model.apply(.pause(number), to: &state) == nil
    try apply(.evict(number))
    if isPaused { try apply(.resume(number)) }
  }

  // A daemon reads its config again at a moment of its own.
  private mutating func begin(_ delivery: Int, by daemon: Int) throws(Refused) {
    let refusal = model.apply(.begin(daemon, delivery), to: &state)
    guard refusal == .hasNoSlot || refusal == .isUnrecorded, reloading.remove(members[daemon].process) != nil else {
      if let refusal { throw Refused(refusal) }
      return
    }
    pass(.reopen(daemon))
    try apply(.begin(daemon, delivery))
  }

  private mutating func lease(_ sink: Int, to member: Int?, under term: Int) throws(Refused) {
    if let member {
      try apply(.take(daemon(member), sink: sink))
    } else if let holder = state.leases[sink].holder {
      try apply(.giveUp(holder, sink: sink))
    }
    try compare(term, with: state.leases[sink].term)
  }

  private mutating func answer(_ item: Int, cancelling ids: [Int], at time: Double) throws(Refused) {
    let number = items[item] ?? add(to: 0)
    items[item] = number
    let isPending = state.deliveries[number].row == .pending
    try apply(.answer(number))
    schedule(.expire(number), at: time + 1)
    var cancelled: Set<Int> = []
    for id in ids { cancelled.insert(try delivery(id)) }
    if !model.has(.answersAtOnce) {
      for number in cancelled { try apply(.cancel(number)) }
    } else if cancelled != (isPending ? [number] : []) {
      throw Refused("its answer has not cancelled what is pending, and that alone")
    }
    for daemon in members.indices {
      guard let index = state.daemons[daemon].index(of: number) else { continue }
      let attempt = state.daemons[daemon].attempts[index]
      let isMade = ids.contains { attempts.isMade($0, by: members[daemon].number, under: attempt.term) }
      if attempt.stage == .begun, !isMade { pass(.look(daemon, number)) }
    }
  }

  // MARK: What cannot be seen

  private mutating func schedule(_ step: DaemonModel.Step, at time: Double) {
    due.insert((time, step), at: due.firstIndex { $0.time > time } ?? due.endIndex)
  }

  // A daemon that is stopped when the second after an answer ends goes on where it was.
  private mutating func pass(_ step: DaemonModel.Step) {
    guard case .expire = step else {
      _ = model.apply(step, to: &state)
      return
    }
    let paused = members.indices.filter {
      stopped.contains(members[$0].process) && model.apply(.pause($0), to: &state) == nil
    }
    _ = model.apply(step, to: &state)
    for number in paused { _ = model.apply(.resume(number), to: &state) }
  }

  private mutating func apply(_ step: DaemonModel.Step) throws(Refused) {
    if let refusal = model.apply(step, to: &state) { throw Refused(refusal) }
    if let broken = state.broken { throw Refused(broken.rawValue) }
  }

  private func compare(_ term: Int, with expected: Int?) throws(Refused) {
    if term != expected { throw Refused("the term is not \(expected.map(String.init) ?? "none")") }
  }

  // MARK: Names

  private mutating func sink(_ name: String) -> Int {
    if let sink = sinks[name] { return sink }
    sinks[name] = state.leases.count
    state.leases.append(DaemonModel.State.Lease())
    state.repeats.append(0)
    return state.leases.count - 1
  }

  private mutating func add(to sink: Int) -> Int {
    state.deliveries.append(DaemonModel.State.Delivery(sink: sink))
    return state.deliveries.count - 1
  }

  private mutating func add(_ id: Int, at number: Int?) throws(Refused) {
    guard deliveries[id] == nil else { throw Refused("the delivery's id was given before") }
    deliveries[id] = number
  }

  private func daemon(_ member: Int) throws(Refused) -> Int {
    guard let number = daemons[member] else { throw Refused("there is no member \(member)") }
    return number
  }

  private func delivery(_ id: Int) throws(Refused) -> Int {
    guard let number = deliveries[id] else { throw Refused("there is no delivery \(id)") }
    return number
  }

  private func sender(at place: Int) throws(Refused) -> Int {
    guard let member = attempts.members[place] else { throw Refused(.isNotBegun) }
    return try daemon(member)
  }

  private func words(of id: Int?) -> String {
    guard let id, let number = deliveries[id] else {
      let names = sinks.map { "\($0.key) \(words(of: state.leases[$0.value]))" }.sorted()
      return (["the lead \(words(of: state.leader))"] + names).joined(separator: ", ")
    }
    let delivery = state.deliveries[number]
    let begun = delivery.begunTerm.map { "begun under term \($0)" } ?? "not begun"
    let held = members.indices.compactMap { daemon in
      state.daemons[daemon].index(of: number).map { index in
        let attempt = state.daemons[daemon].attempts[index]
        return "\(attempt.stage) by member \(members[daemon].number) under term \(attempt.term)"
      }
    }
    let lease = "its sink \(words(of: state.leases[delivery.sink]))"
    let row = "delivery \(id) is \(delivery.row), \(begun), has arrived \(delivery.arrivals) times"
    return ([row, lease] + held).joined(separator: ", ")
  }

  private func words(of lease: DaemonModel.State.Lease) -> String {
    "of \(lease.holder.map { "member \(members[$0].number)" } ?? "no one") under term \(lease.term)"
  }
}

extension TraceEvent.Kind {
  fileprivate var delivery: Int? {
    switch self {
    case .claimed(let id, _, _, _), .written(let id, _), .begun(let id, _, _), .unbegun(let id),
      .recorded(let id, _, _), .lost(let id), .cancelled(let id), .arrived(let id):
      id
    case .joined, .left, .evicted, .led, .leased, .answered, .ended, .stopped, .continued, .reloaded: nil
    }
  }
}
