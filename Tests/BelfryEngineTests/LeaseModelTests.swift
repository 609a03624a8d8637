import Testing

/// Every order in which two daemons can share one sink, on a model of its lease: one gives it up, stalls or dies at any
/// moment.
///
/// Each rule of ``LeaseRule`` is left out once, and then the search must find the fault that the rule prevents.
@Suite struct LeaseModelTests {
  @Test("a sink that changes hands repeats nothing; a stall or a crash repeats at most twice the slots")
  func everyOrder() throws {
    let found = LeaseSearch(without: nil).run()
    #expect(found.fault == nil)
    #expect(found.states > 3_000, "only \(found.states) states were reached")
  }

  @Test("each rule is needed", arguments: LeaseRule.allCases)
  func needed(rule: LeaseRule) { #expect(LeaseSearch(without: rule).run().fault != nil) }
}

/// A promise of a store that several daemons share.
enum LeaseRule: CaseIterable {
  /// A begin is committed only while the row of the lease names the daemon.
  case beginsUnderLease
  /// A sink is given up only when nothing of it is under way.
  case drains
  /// An outcome is recorded only if nobody else has begun the delivery since.
  case recordsOwn
  /// A slot whose outcome is not recorded carries one more attempt.
  case recordsInTime
  /// A lease that has ended can be taken.
  case ends
}

private struct LeaseWorld: Hashable {
  enum Memory: Hashable {
    case nothing, begun(Int), started(Int), ended(Int)
  }

  struct Daemon: Hashable {
    var isAlive = true
    var isStalled = false
    /// True while it believes that it has the sink.
    var believes = false
    var memory = [Memory](repeating: .nothing, count: 3)

    var used: Int { memory.count { if case .begun = $0 { true } else if case .started = $0 { true } else { false } } }
    var ended: Int { memory.count { if case .ended = $0 { true } else { false } } }
  }

  var daemons = [Daemon(), Daemon()]
  var holder: Int?
  var term = 0
  var isDelivered = [false, false, false]
  /// The term under which each was begun last.
  var begunTerms = [0, 0, 0]
  var arrivals = [0, 0, 0]
  var (crashes, stalls, moves) = (0, 0, 0)
  var fault: String?

  var repeats: Int { arrivals.reduce(0) { $0 + max(0, $1 - 1) } }
}

private struct LeaseSearch {
  private static let slots = 1
  private let missing: LeaseRule?

  init(without rule: LeaseRule?) { missing = rule }

  private func has(_ rule: LeaseRule) -> Bool { rule != missing }

  func run() -> (states: Int, fault: String?) {
    var seen: Set<LeaseWorld> = [LeaseWorld()]
    var open = [LeaseWorld()]
    while let world = open.popLast() {
      let next = steps(from: world).map(judged)
      if next.isEmpty, world.isDelivered.contains(false) { return (seen.count, "a delivery is forgotten: \(world)") }
      for world in next where seen.insert(world).inserted {
        if world.fault != nil { return (seen.count, world.fault) }
        open.append(world)
      }
    }
    return (seen.count, nil)
  }

  private func judged(_ world: LeaseWorld) -> LeaseWorld {
    var world = world
    if world.repeats > 2 * Self.slots * (world.crashes + world.stalls) { world.fault = "repeats: \(world.arrivals)" }
    return world
  }

  private func steps(from world: LeaseWorld) -> [LeaseWorld] {
    world.daemons.indices.filter { world.daemons[$0].isAlive }.flatMap { number in
      world.daemons[number].isStalled
        ? [changed(world) { $0.daemons[number].isStalled = false }] : steps(of: number, in: world)
    }
  }

  private func changed(_ world: LeaseWorld, _ change: (inout LeaseWorld) -> Void) -> LeaseWorld {
    var world = world
    change(&world)
    return world
  }

  private func steps(of number: Int, in world: LeaseWorld) -> [LeaseWorld] {
    let daemon = world.daemons[number]
    var next: [LeaseWorld] = []
    if world.holder == nil {
      next.append(
        changed(world) { world in
          (world.holder, world.term) = (number, world.term + 1)
          world.daemons[number].believes = true
        })
    }
    // It learns at its next renewal that another one has the sink.
    if daemon.believes, world.holder != number {
      next.append(changed(world) { $0.daemons[number].believes = false })
    }
    if world.crashes + world.stalls == 0 {
      next.append(
        changed(world) { world in
          (world.crashes, world.daemons[number]) = (1, LeaseWorld.Daemon(isAlive: false))
          if world.holder == number, has(.ends) { world.holder = nil }
        })
    }
    if world.crashes + world.stalls == 0 {
      next.append(
        changed(world) { world in
          (world.stalls, world.daemons[number].isStalled) = (1, true)
          if world.holder == number, has(.ends) { world.holder = nil }
        })
    }
    if world.moves == 0, world.holder == number, !has(.drains) || daemon.used + daemon.ended == 0 {
      next.append(
        changed(world) { world in
          (world.moves, world.holder, world.daemons[number].believes) = (1, nil, false)
        })
    }
    return next + world.isDelivered.indices.flatMap { steps(of: number, with: $0, in: world) }
  }

  private func steps(of number: Int, with delivery: Int, in world: LeaseWorld) -> [LeaseWorld] {
    let daemon = world.daemons[number]
    switch daemon.memory[delivery] {
    case .nothing:
      let mayBegin = has(.beginsUnderLease) ? world.holder == number : daemon.believes
      let unrecorded = has(.recordsInTime) ? daemon.ended : 0
      let free = min(Self.slots - daemon.used, 2 * Self.slots - daemon.used - unrecorded)
      guard mayBegin, free > 0, !world.isDelivered[delivery] else { return [] }
      return [
        changed(world) { world in
          world.begunTerms[delivery] = world.term
          world.daemons[number].memory[delivery] = .begun(world.term)
        }
      ]
    case .begun(let term):
      return [
        changed(world) { world in
          world.arrivals[delivery] += 1
          world.daemons[number].memory[delivery] = .started(term)
        }
      ]
    case .started(let term): return [changed(world) { $0.daemons[number].memory[delivery] = .ended(term) }]
    case .ended(let term):
      return [
        changed(world) { world in
          world.daemons[number].memory[delivery] = .nothing
          let isOwn = world.begunTerms[delivery] == term
          guard !world.isDelivered[delivery], isOwn || !has(.recordsOwn) else { return }
          if !isOwn { world.fault = "the outcome of an attempt was recorded while another one was under way" }
          world.isDelivered[delivery] = true
        }
      ]
    }
  }
}
