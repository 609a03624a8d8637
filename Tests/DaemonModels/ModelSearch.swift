/// Every order in which the steps of a ``DaemonModel`` can be taken, within bounds, for daemons that share one sink.
package struct ModelSearch: Sendable {
  /// What a search is limited to.
  package struct Bounds: Sendable {
    /// At most four.
    let daemons: Int
    let deliveries: Int
    let slots: Int
    /// The deliveries that are answered, each once.
    let answers: Int
    let crashes: Int
    let pauses: Int
    /// The orderly ends and the sinks that are handed over.
    let moves: Int

    package init(
      daemons: Int = 3, deliveries: Int, slots: Int = 1, answers: Int = 1, crashes: Int = 0, pauses: Int = 0,
      moves: Int = 1
    ) {
      (self.daemons, self.deliveries, self.slots, self.answers) = (daemons, deliveries, slots, answers)
      (self.crashes, self.pauses, self.moves) = (crashes, pauses, moves)
    }
  }

  /// The broken promise, with the state in which it was found; and the number of states until then.
  package struct Result: Sendable {
    package let states: Int
    package let broken: DaemonModel.Promise?
    package let state: DaemonModel.State?
  }

  private let bounds: Bounds
  private let model: DaemonModel

  package init(_ bounds: Bounds, without missing: DaemonModel.Rule? = nil) {
    (self.bounds, model) = (bounds, DaemonModel(slots: bounds.slots, without: missing))
  }

  package func run() -> Result {
    var first = DaemonModel.State(sinks: 1)
    first.daemons = Array(repeating: DaemonModel.State.Daemon(), count: bounds.daemons)
    for daemon in first.daemons.indices { first.daemons[daemon].isMember = true }
    first.deliveries = Array(repeating: DaemonModel.State.Delivery(sink: 0), count: bounds.deliveries)
    var seen: Set<StateKey> = [StateKey(first, model.hasBeliefs)]
    var open = [first]
    while let state = open.popLast() {
      var isLast = true
      for step in steps(in: state) {
        var next = state
        guard model.apply(step, to: &next) == nil else { continue }
        isLast = false
        if let broken = next.broken { return Result(states: seen.count, broken: broken, state: next) }
        if seen.insert(StateKey(next, model.hasBeliefs)).inserted { open.append(next) }
      }
      if isLast, state.deliveries.contains(where: \.isLost) {
        return Result(states: seen.count, broken: .nothingLost, state: state)
      }
    }
    return Result(states: seen.count, broken: nil, state: nil)
  }

  // The steps worth a try; the model refuses some.
  private func steps(in state: DaemonModel.State) -> [DaemonModel.Step] {
    var steps: [DaemonModel.Step] = []
    for daemon in state.daemons.indices { add(stepsOf: daemon, in: state, to: &steps) }
    for delivery in state.deliveries.indices {
      switch state.deliveries[delivery].answer {
      case .none: if delivery < bounds.answers { steps.append(.answer(delivery)) }
      case .fresh: steps.append(.expire(delivery))
      case .over: break
      }
      if model.missing == .answersAtOnce { steps.append(.cancel(delivery)) }
    }
    return steps
  }

  private func add(stepsOf daemon: Int, in state: DaemonModel.State, to steps: inout [DaemonModel.Step]) {
    let isMember = state.daemons[daemon].isMember
    if isMember, !state.daemons[daemon].canAct || model.missing == .endsUnrenewed { steps.append(.evict(daemon)) }
    guard state.daemons[daemon].isAlive else { return }
    if state.crashes < bounds.crashes { steps.append(.crash(daemon)) }
    guard !state.daemons[daemon].isPaused else { return steps.append(.resume(daemon)) }
    if state.pauses < bounds.pauses { steps.append(.pause(daemon)) }
    if model.hasBeliefs { steps.append(.learn(daemon)) }
    steps += isMember ? [.lead(daemon), .take(daemon, sink: 0)] : [.join(daemon)]
    if state.moves < bounds.moves { steps += [.giveUp(daemon, sink: 0), .leave(daemon)] }
    // In their order, as the rows are read.
    let claimable = state.deliveries.indices.filter {
      state.deliveries[$0].row == .scheduled || model.missing == .claimsOnce
    }
    if state.daemons[daemon].leads { steps += claimable.prefix(1).map { .claim(daemon, $0) } }
    var hasBegun = false
    for delivery in state.deliveries.indices {
      if let attempt = state.daemons[daemon].attempts.first(where: { $0.delivery == delivery }) {
        add(stepsAfter: attempt, of: daemon, in: state, to: &steps)
      } else if !hasBegun, state.deliveries[delivery].row == .pending || model.missing == .beginsPending {
        hasBegun = true
        steps.append(.begin(daemon, delivery))
      }
    }
  }

  private func add(
    stepsAfter attempt: DaemonModel.State.Attempt, of daemon: Int, in state: DaemonModel.State,
    to steps: inout [DaemonModel.Step]
  ) {
    let delivery = attempt.delivery
    if state.moves < bounds.moves { steps.append(.unbegin(daemon, delivery)) }
    switch attempt.stage {
    case .begun:
      steps += [.send(daemon, delivery), .look(daemon, delivery)]
      if !model.has(.recordsEnded) { steps.append(.record(daemon, delivery)) }
    case .held: steps.append(.send(daemon, delivery))
    case .sent: steps.append(.end(daemon, delivery))
    case .ended: steps += [.record(daemon, delivery), .ignore(daemon, delivery)]
    }
  }
}

extension DaemonModel {
  // A daemon that looks at the rows at each begin and claim need not know what it has.
  fileprivate var hasBeliefs: Bool { missing == .beginsUnderLease || missing == .claimsUnderLead }
}

extension DaemonModel.State.Delivery {
  // Nothing more will happen.
  fileprivate var isLost: Bool { row != .discarded && arrivals == 0 || row == .pending || row == .scheduled }
}

/// A state in few bits, equal for states that differ only in the names of daemons and the numbers of terms.
private struct StateKey: Hashable {
  private let daemons: SIMD4<UInt64>
  private let rest: UInt64

  init(_ state: DaemonModel.State, _ hasBeliefs: Bool) {
    let lease = state.leases[0]
    var rest = UInt64(state.repeats[0])
    rest = rest << 2 | UInt64(state.crashes)
    rest = rest << 2 | UInt64(state.pauses)
    rest = rest << 2 | UInt64(state.moves)
    for delivery in state.deliveries {
      let begun: UInt64 = delivery.begunTerm.map { $0 == lease.term ? 2 : 1 } ?? 0
      rest = rest << 2 | UInt64(delivery.row.rawValue)
      rest = rest << 2 | UInt64(delivery.answer.rawValue)
      rest = rest << 2 | begun
      rest = rest << 1 | (delivery.arrivals > 0 ? 1 : 0)
    }
    self.rest = rest
    var codes: [UInt64] = []
    for daemon in state.daemons.indices { codes.append(Self.code(of: daemon, in: state, hasBeliefs)) }
    codes.sort()
    daemons = SIMD4(codes + repeatElement(0, count: 4 - codes.count))
  }

  private static func code(of number: Int, in state: DaemonModel.State, _ hasBeliefs: Bool) -> UInt64 {
    let daemon = state.daemons[number]
    let lease = state.leases[0]
    var code: UInt64 = daemon.isAlive ? 1 : 0
    code = code << 1 | (daemon.isPaused ? 1 : 0)
    code = code << 1 | (daemon.isMember ? 1 : 0)
    code = code << 1 | (state.leader.holder == number ? 1 : 0)
    code = code << 1 | (lease.holder == number ? 1 : 0)
    if hasBeliefs {
      code = code << 1 | (daemon.sinks.contains(0) ? 1 : 0)
      code = code << 1 | (daemon.leads ? 1 : 0)
    }
    for attempt in daemon.attempts {
      var part = UInt64(attempt.stage.rawValue) + 1
      part = part << 1 | (attempt.term == lease.term ? 1 : 0)
      part = part << 1 | (attempt.term == state.deliveries[attempt.delivery].begunTerm ? 1 : 0)
      code |= part << (16 + 5 * UInt64(attempt.delivery))
    }
    return code
  }
}
