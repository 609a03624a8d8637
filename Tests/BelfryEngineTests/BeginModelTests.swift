import Testing

/// Every order in which two daemons, three deliveries and one answer can meet, on a model of how deliveries begin.
///
/// Each rule of ``Rule`` is left out once, and then the search must find the fault that the rule prevents.
@Suite struct BeginModelTests {
  @Test("nothing begins a second after its answer, and a crash repeats at most twice the slots")
  func everyOrder() throws {
    let found = Search(without: nil).run()
    #expect(found.fault == nil)
    #expect(found.states > 5_000, "only \(found.states) states were reached")
  }

  @Test("each rule is needed", arguments: Rule.allCases)
  func needed(rule: Rule) { #expect(Search(without: rule).run().fault != nil) }
}

/// A promise between ``Deliverer`` and the stores.
enum Rule: CaseIterable {
  /// Only rows that are pending at the commit of a begin are begun.
  case beginsPending
  /// Only the daemon that has the sink begins.
  case needsLease
  /// Nothing starts that was not begun.
  case startsBegun
  /// A begin is void after its time.
  case mustStartBefore
  /// The time of a begin counts from before its commit is asked for, not from when that is known.
  case countsFromAsking
  /// A delivery that was begun too long ago starts only after another look at its row.
  case looksAgain
  /// A request whose connection was lost is repeated only within the time of its begin.
  case repeatsInTime
  /// No more is begun than there are free slots.
  case freeSlots
  /// A slot whose outcome is not recorded carries one more attempt.
  case recordsInTime
  /// An answer changes the rows in its own transaction.
  case answersAtOnce
}

/// One state of everything. A tick of time is the time for which a begin counts.
private struct World: Hashable {
  enum Row: Hashable {
    case pending, delivered, discarded
  }

  /// A delivery's stage in the memory of a daemon.
  enum Memory: Hashable {
    case nothing, known, asked, committed, begun, late, started, ended
  }

  struct Daemon: Hashable {
    var isAlive = true
    var memory = [Memory](repeating: .nothing, count: 3)
    /// The ticks since it asked for its begins.
    var age = 0

    func count(_ wanted: Memory...) -> Int { memory.count { wanted.contains($0) } }
  }

  static let answered = [1, 2]

  var rows = [Row](repeating: .pending, count: 3)
  var daemons = [Daemon(), Daemon()]
  var owner = 0
  var arrivals = [0, 0, 0]
  var crashes = 0
  var isAnswered = false
  /// The ticks since the answer.
  var sinceAnswer = 0
  var ticks = 0
  var fault: String?

  var repeats: Int { arrivals.reduce(0) { $0 + max(0, $1 - 1) } }
}

/// A search through all states.
private struct Search {
  private static let slots = 1
  private let missing: Rule?

  init(without rule: Rule?) { missing = rule }

  func run() -> (states: Int, fault: String?) {
    var seen: Set<World> = [World()]
    var open = [World()]
    while let world = open.popLast() {
      let next = steps(from: world)
      if next.isEmpty, world.rows.contains(.pending) { return (seen.count, "a delivery is forgotten: \(world)") }
      for world in next where seen.insert(world).inserted {
        if let fault = world.fault { return (seen.count, fault) }
        open.append(world)
      }
    }
    return (seen.count, nil)
  }

  private func has(_ rule: Rule) -> Bool { rule != missing }

  private func steps(from world: World) -> [World] {
    var next: [World] = []
    for number in world.daemons.indices where world.daemons[number].isAlive {
      next += steps(of: number, in: world)
      if world.crashes == 0 { next.append(crash(number, in: world)) }
    }
    if !world.isAnswered { next.append(answer(world)) }
    if world.isAnswered, !has(.answersAtOnce) { next.append(discard(world)) }
    if world.ticks < 3 { next.append(tick(world)) }
    return next.filter { $0 != world }
  }

  private func steps(of number: Int, in world: World) -> [World] {
    let daemon = world.daemons[number]
    var next = [readAhead(number, in: world), ask(number, in: world)]
    if daemon.count(.asked) > 0 { next.append(commit(number, in: world)) }
    if daemon.count(.committed) > 0 { next.append(learn(number, in: world)) }
    if daemon.count(.late) > 0 { next.append(lookAgain(number, in: world)) }
    if daemon.count(.ended) > 0 { next.append(record(number, in: world)) }
    for delivery in world.rows.indices {
      switch daemon.memory[delivery] {
      case .begun: next.append(start(delivery, of: number, in: world))
      case .known where !has(.startsBegun): next.append(start(delivery, of: number, in: world))
      case .started:
        next.append(with(world, number) { $0.memory[delivery] = .ended })
        next.append(again(delivery, of: number, in: world))
      default: break
      }
    }
    return next
  }

  private func with(_ world: World, _ number: Int, _ change: (inout World.Daemon) -> Void) -> World {
    var world = world
    change(&world.daemons[number])
    return world
  }

  // MARK: A daemon

  private func readAhead(_ number: Int, in world: World) -> World {
    with(world, number) { daemon in
      for delivery in world.rows.indices where world.rows[delivery] == .pending && daemon.memory[delivery] == .nothing {
        daemon.memory[delivery] = .known
      }
    }
  }

  private func ask(_ number: Int, in world: World) -> World {
    guard world.owner == number || !has(.needsLease) else { return world }
    return with(world, number) { daemon in
      guard daemon.count(.asked, .committed, .begun) == 0 else { return }
      // A delivery that was begun too late has a slot as soon as it may start.
      let free = has(.freeSlots) ? free(daemon) - daemon.count(.late) : 3
      for delivery in daemon.memory.indices.filter({ daemon.memory[$0] == .known }).prefix(max(0, free)) {
        (daemon.memory[delivery], daemon.age) = (.asked, 0)
      }
    }
  }

  private func free(_ daemon: World.Daemon) -> Int {
    let used = daemon.count(.started)
    let unrecorded = has(.recordsInTime) ? daemon.count(.ended) : 0
    return min(Self.slots - used, 2 * Self.slots - used - unrecorded)
  }

  private func commit(_ number: Int, in world: World) -> World {
    guard world.owner == number || !has(.needsLease) else { return world }
    return with(world, number) { daemon in
      for delivery in daemon.memory.indices where daemon.memory[delivery] == .asked {
        let isPending = world.rows[delivery] == .pending || !has(.beginsPending)
        daemon.memory[delivery] = isPending ? .committed : .nothing
      }
    }
  }

  private func learn(_ number: Int, in world: World) -> World {
    with(world, number) { daemon in
      for delivery in daemon.memory.indices where daemon.memory[delivery] == .committed {
        daemon.memory[delivery] = .begun
      }
      if !has(.countsFromAsking) { daemon.age = 0 }
    }
  }

  private func start(_ delivery: Int, of number: Int, in world: World) -> World {
    guard world.daemons[number].count(.started) < Self.slots else { return world }
    guard world.daemons[number].age == 0 || !has(.mustStartBefore) else {
      return with(world, number) { $0.memory[delivery] = .late }
    }
    var world = with(world, number) { $0.memory[delivery] = .started }
    world.arrivals[delivery] += 1
    world = send(delivery, in: world)
    if world.repeats > 2 * Self.slots * world.crashes { world.fault = "\(world.repeats) repeats: \(world.arrivals)" }
    return world
  }

  // The request before has not arrived: its connection was closed.
  private func again(_ delivery: Int, of number: Int, in world: World) -> World {
    guard world.daemons[number].age == 0 || !has(.repeatsInTime) else {
      var world = with(world, number) { $0.memory[delivery] = .late }
      world.arrivals[delivery] -= 1
      return world
    }
    return send(delivery, in: world)
  }

  private func send(_ delivery: Int, in world: World) -> World {
    guard world.isAnswered, World.answered.contains(delivery), world.sinceAnswer > 0 else { return world }
    var world = world
    world.fault = "delivery \(delivery) went out too late after its answer"
    return world
  }

  // A begun delivery is the daemon's as long as it has the sink: a look at the rows needs no commit.
  private func lookAgain(_ number: Int, in world: World) -> World {
    guard world.owner == number || !has(.needsLease) else { return world }
    return with(world, number) { daemon in
      guard daemon.count(.asked, .committed, .begun) == 0 else { return }
      let free = has(.freeSlots) ? free(daemon) : 3
      for delivery in daemon.memory.indices.filter({ daemon.memory[$0] == .late }).prefix(max(0, free)) {
        let isPending = world.rows[delivery] == .pending || !has(.looksAgain)
        (daemon.memory[delivery], daemon.age) = (isPending ? .begun : .nothing, 0)
      }
    }
  }

  private func record(_ number: Int, in world: World) -> World {
    var world = world
    for delivery in world.rows.indices where world.daemons[number].memory[delivery] == .ended {
      if world.rows[delivery] == .pending { world.rows[delivery] = .delivered }
      world.daemons[number].memory[delivery] = .nothing
    }
    return world
  }

  // MARK: The world

  private func crash(_ number: Int, in world: World) -> World {
    var world = with(world, number) { $0 = World.Daemon(isAlive: false) }
    world.crashes += 1
    if world.owner == number { world.owner = 1 - number }
    return world
  }

  private func answer(_ world: World) -> World {
    var world = world
    world.isAnswered = true
    return has(.answersAtOnce) ? discard(world) : world
  }

  private func discard(_ world: World) -> World {
    var world = world
    for delivery in World.answered where world.rows[delivery] == .pending { world.rows[delivery] = .discarded }
    return world
  }

  private func tick(_ world: World) -> World {
    var world = world
    world.ticks += 1
    if world.isAnswered { world.sinceAnswer = 1 }
    for number in world.daemons.indices { world.daemons[number].age = 1 }
    return world
  }
}
