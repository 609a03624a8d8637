extension DaemonModel {
  /// Takes a step.
  ///
  /// - Returns: why it cannot be taken; then nothing has changed.
  package func apply(_ step: Step, to state: inout State) -> Refusal? {
    switch step {
    case .join(let daemon): join(daemon, in: &state)
    case .lead(let daemon): lead(daemon, in: &state)
    case .take(let daemon, let sink): take(sink, by: daemon, in: &state)
    case .learn(let daemon): learn(daemon, in: &state)
    case .claim(let daemon, let delivery): claim(delivery, by: daemon, in: &state)
    case .write(let delivery): write(delivery, in: &state)
    case .begin(let daemon, let delivery): begin(delivery, by: daemon, in: &state)
    case .reopen(let daemon): reopen(daemon, in: &state)
    case .send(let daemon, let delivery): send(delivery, by: daemon, in: &state)
    case .end(let daemon, let delivery): end(delivery, by: daemon, in: &state)
    case .record(let daemon, let delivery): record(delivery, by: daemon, in: &state)
    case .fail(let daemon, let delivery): fail(delivery, by: daemon, in: &state)
    case .look(let daemon, let delivery): look(delivery, by: daemon, in: &state)
    case .ignore(let daemon, let delivery): ignore(delivery, by: daemon, in: &state)
    case .lose(let delivery): lose(delivery, in: &state)
    case .unbegin(let daemon, let delivery): unbegin(delivery, by: daemon, in: &state)
    case .giveUp(let daemon, let sink): giveUp(sink, by: daemon, in: &state)
    case .leave(let daemon): leave(daemon, in: &state)
    case .answer(let delivery): answer(delivery, in: &state)
    case .cancel(let delivery): cancel(delivery, in: &state)
    case .expire(let delivery): expire(delivery, in: &state)
    case .crash(let daemon): crash(daemon, in: &state)
    case .pause(let daemon): pause(daemon, in: &state)
    case .resume(let daemon): resume(daemon, in: &state)
    case .evict(let daemon): evict(daemon, in: &state)
    }
  }

  // MARK: Leases

  private func join(_ daemon: Int, in state: inout State) -> Refusal? {
    guard state.daemons[daemon].canAct else { return .cannotAct }
    guard !state.daemons[daemon].isMember else { return .isMember }
    state.daemons[daemon].isMember = true
    // The rows that name it name its former number.
    if state.leader.holder == daemon { state.leader.holder = nil }
    for sink in state.leases.indices where state.has(daemon, sink) { state.leases[sink].holder = nil }
    return nil
  }

  private func lead(_ daemon: Int, in state: inout State) -> Refusal? {
    guard state.daemons[daemon].canAct else { return .cannotAct }
    guard state.isGone(state.leader.holder) || !has(.takesFree), state.leader.holder != daemon else { return .isHeld }
    state.leader = State.Lease(holder: daemon, term: state.leader.term + 1)
    state.daemons[daemon].leads = true
    return nil
  }

  private func take(_ sink: Int, by daemon: Int, in state: inout State) -> Refusal? {
    guard state.daemons[daemon].canAct else { return .cannotAct }
    let lease = state.leases[sink]
    guard state.isGone(lease.holder) || !has(.takesFree), lease.holder != daemon else { return .isHeld }
    state.leases[sink] = State.Lease(holder: daemon, term: lease.term + 1)
    state.daemons[daemon].sinks.insert(sink)
    let isLost = state.deliveries.contains { $0.sink == sink && $0.row == .pending && $0.begunTerm != nil }
    if isLost, state.faults == 0 { state.broken = .knownLosses }
    return nil
  }

  private func learn(_ daemon: Int, in state: inout State) -> Refusal? {
    guard state.daemons[daemon].canAct else { return .cannotAct }
    let leads = state.leader.holder == daemon
    let sinks = Set(state.leases.indices.filter { state.has(daemon, $0) })
    guard leads != state.daemons[daemon].leads || sinks != state.daemons[daemon].sinks else { return .isImpossible }
    (state.daemons[daemon].leads, state.daemons[daemon].sinks) = (leads, sinks)
    return nil
  }

  private func giveUp(_ sink: Int, by daemon: Int, in state: inout State) -> Refusal? {
    guard state.daemons[daemon].canAct else { return .cannotAct }
    guard state.has(daemon, sink) else { return .hasNoLease }
    if let refusal = drain(sink, of: daemon, in: &state) { return refusal }
    state.leases[sink].holder = nil
    state.daemons[daemon].sinks.remove(sink)
    state.moves += 1
    return nil
  }

  private func leave(_ daemon: Int, in state: inout State) -> Refusal? {
    guard state.daemons[daemon].canAct else { return .cannotAct }
    guard state.daemons[daemon].isMember else { return .isNotMember }
    for sink in state.leases.indices where state.has(daemon, sink) {
      if let refusal = drain(sink, of: daemon, in: &state) { return refusal }
    }
    state.daemons[daemon] = State.Daemon(isAlive: false)
    state.moves += 1
    return nil
  }

  private func drain(_ sink: Int, of daemon: Int, in state: inout State) -> Refusal? {
    let term = state.leases[sink].term
    let deliveries = state.deliveries
    let attempts = state.daemons[daemon].attempts.filter { deliveries[$0.delivery].sink == sink }
    if has(.drains), attempts.contains(where: { $0.stage != .begun }) { return .isNotDrained }
    let isBegun = deliveries.contains { $0.sink == sink && $0.row == .pending && $0.begunTerm == term }
    if has(.unbegins), isBegun { return .isNotUnbegun }
    state.daemons[daemon].attempts.removeAll { deliveries[$0.delivery].sink == sink && $0.stage == .begun }
    return nil
  }

  // MARK: Deliveries

  private func claim(_ delivery: Int, by daemon: Int, in state: inout State) -> Refusal? {
    guard state.daemons[daemon].canAct else { return .cannotAct }
    let leads = state.leader.holder == daemon
    guard leads || !has(.claimsUnderLead) && state.daemons[daemon].leads else { return .doesNotLead }
    guard state.deliveries[delivery].row == .scheduled || !has(.claimsOnce) else { return .isClaimed }
    (state.deliveries[delivery].row, state.deliveries[delivery].begunTerm) = (.pending, nil)
    if !leads { state.broken = .ledClaims }
    return nil
  }

  private func write(_ delivery: Int, in state: inout State) -> Refusal? {
    guard state.deliveries[delivery].row == .scheduled else { return .isClaimed }
    state.deliveries[delivery].row = .pending
    return nil
  }

  private func begin(_ delivery: Int, by daemon: Int, in state: inout State) -> Refusal? {
    guard state.daemons[daemon].canAct else { return .cannotAct }
    let sink = state.deliveries[delivery].sink
    let mayBegin = has(.beginsUnderLease) ? state.has(daemon, sink) : state.daemons[daemon].sinks.contains(sink)
    guard mayBegin else { return .hasNoLease }
    guard state.deliveries[delivery].row == .pending || !has(.beginsPending) else { return .isNotPending }
    let term = state.leases[sink].term
    let earlier = state.daemons[daemon].index(of: delivery)
    if let earlier, state.daemons[daemon].attempts[earlier].stage != .begun { return .isUnderWay }
    // Attempts under an earlier lease have slots of their own.
    var (used, ended) = (0, 0)
    for attempt in state.daemons[daemon].attempts
    where attempt.term == term && !attempt.isRetired && attempt.delivery != delivery
      && state.deliveries[attempt.delivery].sink == sink
    {
      if attempt.stage == .ended { ended += 1 } else { used += 1 }
    }
    guard used < slots || !has(.freeSlots) else { return .hasNoSlot }
    guard used + ended < 2 * slots || !has(.recordsInTime) else { return .isUnrecorded }
    if let earlier { state.daemons[daemon].attempts.remove(at: earlier) }
    state.daemons[daemon].attempts.append(State.Attempt(delivery: delivery, term: term, stage: .begun))
    state.deliveries[delivery].begunTerm = term
    return nil
  }

  private func reopen(_ daemon: Int, in state: inout State) -> Refusal? {
    guard state.daemons[daemon].canAct else { return .cannotAct }
    for index in state.daemons[daemon].attempts.indices { state.daemons[daemon].attempts[index].isRetired = true }
    return nil
  }

  private func send(_ delivery: Int, by daemon: Int, in state: inout State) -> Refusal? {
    guard state.daemons[daemon].canAct else { return .cannotAct }
    guard let index = state.daemons[daemon].index(of: delivery) else {
      return state.deliveries[delivery].answer == .over ? .isTooLate : .isNotBegun
    }
    let stage = state.daemons[daemon].attempts[index].stage
    guard stage == .begun || stage == .held else { return .isUnderWay }
    let sink = state.deliveries[delivery].sink
    state.daemons[daemon].attempts[index].stage = .sent
    if state.deliveries[delivery].arrivals > 0 { state.repeats[sink] += 1 }
    state.deliveries[delivery].arrivals += 1
    let term = state.daemons[daemon].attempts[index].term
    let underWay = state.daemons[daemon].attempts.count {
      $0.stage == .sent && $0.term == term && !$0.isRetired && state.deliveries[$0.delivery].sink == sink
    }
    if underWay > slots { state.broken = .fewAtOnce }
    if stage == .begun, state.deliveries[delivery].answer == .over { state.broken = .inTime }
    if state.repeats[sink] > 2 * slots * state.faults { state.broken = .fewRepeats }
    return nil
  }

  private func end(_ delivery: Int, by daemon: Int, in state: inout State) -> Refusal? {
    guard state.daemons[daemon].canAct else { return .cannotAct }
    guard let index = state.daemons[daemon].index(of: delivery) else { return .isNotBegun }
    guard state.daemons[daemon].attempts[index].stage == .sent else { return .hasNotEnded }
    state.daemons[daemon].attempts[index].stage = .ended
    return nil
  }

  private func record(_ delivery: Int, by daemon: Int, in state: inout State) -> Refusal? {
    guard state.daemons[daemon].canAct else { return .cannotAct }
    guard let index = state.daemons[daemon].index(of: delivery) else { return .isNotBegun }
    let attempt = state.daemons[daemon].attempts[index]
    let isOwn = state.deliveries[delivery].begunTerm == attempt.term
    guard isOwn || !has(.recordsOwn) else { return .isTaken }
    if attempt.stage == .ended {
      state.daemons[daemon].attempts.remove(at: index)
    } else {
      guard attempt.stage == .begun, !has(.recordsEnded) else { return .hasNotEnded }
      guard state.deliveries[delivery].row == .pending else { return .isImpossible }
    }
    guard state.deliveries[delivery].row == .pending else { return nil }
    state.deliveries[delivery].row = .delivered
    if !isOwn { state.broken = .ownRecords }
    return nil
  }

  private func fail(_ delivery: Int, by daemon: Int, in state: inout State) -> Refusal? {
    guard state.daemons[daemon].canAct else { return .cannotAct }
    guard let index = state.daemons[daemon].index(of: delivery) else { return .isNotBegun }
    guard state.deliveries[delivery].begunTerm == state.daemons[daemon].attempts[index].term else { return .isTaken }
    state.daemons[daemon].attempts.remove(at: index)
    return nil
  }

  private func look(_ delivery: Int, by daemon: Int, in state: inout State) -> Refusal? {
    guard state.daemons[daemon].canAct else { return .cannotAct }
    guard let index = state.daemons[daemon].index(of: delivery) else { return .isNotBegun }
    guard state.daemons[daemon].attempts[index].stage == .begun, state.deliveries[delivery].row != .pending else {
      return .isImpossible
    }
    state.daemons[daemon].attempts.remove(at: index)
    return nil
  }

  private func ignore(_ delivery: Int, by daemon: Int, in state: inout State) -> Refusal? {
    guard state.daemons[daemon].canAct else { return .cannotAct }
    guard let index = state.daemons[daemon].index(of: delivery) else { return .isNotBegun }
    let attempt = state.daemons[daemon].attempts[index]
    guard attempt.stage == .ended, state.deliveries[delivery].begunTerm != attempt.term else { return .isImpossible }
    state.daemons[daemon].attempts.remove(at: index)
    return nil
  }

  private func lose(_ delivery: Int, in state: inout State) -> Refusal? {
    let term = state.leases[state.deliveries[delivery].sink].term
    guard let begun = state.deliveries[delivery].begunTerm, begun < term else { return .isNotBegun }
    return nil
  }

  private func unbegin(_ delivery: Int, by daemon: Int, in state: inout State) -> Refusal? {
    guard state.daemons[daemon].canAct else { return .cannotAct }
    let sink = state.deliveries[delivery].sink
    guard state.has(daemon, sink), state.deliveries[delivery].row == .pending else { return .isNotPending }
    guard state.deliveries[delivery].begunTerm == state.leases[sink].term else { return .isNotBegun }
    if let index = state.daemons[daemon].index(of: delivery) {
      let isStarted = state.daemons[daemon].attempts[index].stage != .begun
      guard !isStarted || !has(.drains) else { return .isNotDrained }
      if !isStarted { state.daemons[daemon].attempts.remove(at: index) }
    }
    state.deliveries[delivery].begunTerm = nil
    return nil
  }

  // MARK: Answers

  private func answer(_ delivery: Int, in state: inout State) -> Refusal? {
    guard state.deliveries[delivery].answer == .none else { return .isAnswered }
    state.deliveries[delivery].answer = .fresh
    if has(.answersAtOnce) { discard(delivery, in: &state) }
    return nil
  }

  private func cancel(_ delivery: Int, in state: inout State) -> Refusal? {
    guard !has(.answersAtOnce), state.deliveries[delivery].answer != .none else { return .isImpossible }
    guard discard(delivery, in: &state) else { return .isImpossible }
    return nil
  }

  @discardableResult
  private func discard(_ delivery: Int, in state: inout State) -> Bool {
    guard state.deliveries[delivery].row == .scheduled || state.deliveries[delivery].row == .pending else {
      return false
    }
    state.deliveries[delivery].row = .discarded
    return true
  }

  // Who has not started in time looks at the row again.
  private func expire(_ delivery: Int, in state: inout State) -> Refusal? {
    guard state.deliveries[delivery].answer == .fresh else { return .isImpossible }
    state.deliveries[delivery].answer = .over
    for daemon in state.daemons.indices {
      guard let index = state.daemons[daemon].index(of: delivery),
        state.daemons[daemon].attempts[index].stage == .begun
      else { continue }
      if state.daemons[daemon].isPaused {
        state.daemons[daemon].attempts[index].stage = .held
      } else if has(.startsInTime), state.deliveries[delivery].row != .pending {
        state.daemons[daemon].attempts.remove(at: index)
      }
    }
    return nil
  }

  // MARK: Faults

  private func crash(_ daemon: Int, in state: inout State) -> Refusal? {
    guard state.daemons[daemon].isAlive else { return .cannotAct }
    let isMember = state.daemons[daemon].isMember
    state.daemons[daemon] = State.Daemon(isAlive: false, isMember: isMember)
    state.crashes += 1
    return nil
  }

  private func pause(_ daemon: Int, in state: inout State) -> Refusal? {
    guard state.daemons[daemon].canAct else { return .cannotAct }
    state.daemons[daemon].isPaused = true
    state.pauses += 1
    return nil
  }

  private func resume(_ daemon: Int, in state: inout State) -> Refusal? {
    guard state.daemons[daemon].isPaused else { return .isImpossible }
    state.daemons[daemon].isPaused = false
    return nil
  }

  private func evict(_ daemon: Int, in state: inout State) -> Refusal? {
    guard state.daemons[daemon].isMember else { return .isNotMember }
    guard has(.ends) else { return .isRenewed }
    guard !state.daemons[daemon].canAct || !has(.endsUnrenewed) else { return .isRenewed }
    state.daemons[daemon].isMember = false
    return nil
  }
}
