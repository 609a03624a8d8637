import Foundation

/// The rows of escalation, each beside the same work without it, which is what reminders without one cost.
struct EscalationRows {
  private static let without = "without escalation"
  private static let sink = "sinks: { peer: { type: stdout } }\n"
  private static let escalation = """
    people: { me: { sinks: [peer] } }
    escalations: { home: [{ to: [me] }, { after: 10m, to: [me], every: 10m, times: 6 }, { after: 2h, to: [me] }] }
    lists: { "*": { escalation: home } }

    """
  // Those that a tick claims, and the seconds by which the clock has to be ahead for as many sample items to be due.
  private static let (due, ahead) = (1_000, 86_400 + 60 * 1_000.0)

  let bench: BenchRun
  let stores: DeliveryStores

  func measure() throws -> [Row] { [try tick(), try hugeStart(), try hugeTick(), try hugeMemory()] }

  private func tick() throws -> Row {
    var row = Row(
      "escalation",
      "a tick of \(Figure.grouped(Self.due)) that each begin an escalation, to stdout (Belfry's start included)",
      try compare("escalations begun", rounds: 20) { config in
        let folder = try stores.fresh(Self.due)
        try configure(folder, config)
        sync()
        let cost = try stores.delivering(in: folder).measured()
        try stores.expectDelivered(Self.due, scheduled: config == Self.escalation ? Self.due : 0, in: folder)
        return cost.wall
      })
    row.hold(to: Self.without, atMost: 1.5)
    return row
  }

  private func hugeStart() throws -> Row {
    let folder = try huge()
    var row = Row(
      "escalation-start", "`belfryd --once`, nothing due, \(items) that have an escalation",
      try compare("start with many escalations", rounds: 20) { config in
        try configure(folder, config)
        return try stores.delivering(in: folder).measured().wall
      })
    row.hold(to: Self.without, atMost: 1.1)
    return row
  }

  private func hugeTick() throws -> Row {
    let clock = try ShiftedClock.variables(ahead: Self.ahead)
    var row = Row(
      "escalation-tick",
      "a tick of \(Figure.grouped(Self.due)) that each begin an escalation, of \(items) (libfaketime)",
      try compare("escalations begun among many", rounds: 5) { config in
        let folder = try huge()
        try configure(folder, config)
        var command = stores.delivering(in: folder)
        command.environment.merge(clock) { $1 }
        sync()
        let cost = try command.measured()
        // Each escalation has its next step in place of its reminder.
        if config == Self.escalation {
          let rung = try stores.delivered(scheduled: bench.scale.huge, in: folder)
          guard rung >= Self.due else { throw BenchmarkError("\(rung) escalations began where \(Self.due) were due") }
        }
        return cost.wall
      })
    row.hold(to: Self.without, atMost: 1.5)
    return row
  }

  private func hugeMemory() throws -> Row {
    let folder = try huge()
    var row = Row(
      "escalation-memory", "`belfryd`, \(items) that have an escalation: resident memory", in: .mebibytes,
      try compare("memory with many escalations", rounds: 2) { config in
        try configure(folder, config)
        let daemon = try RunningProcess(bench.belfry.daemon(in: folder), log: "\(folder)/log", scratch: bench.scratch)
        defer { daemon.stop() }
        // Work left over from the start does not count.
        Clock.sleep(milliseconds: 2_000)
        return try Usage(of: daemon).memory
      })
    row.hold(to: Self.without, atMost: 1.1)
    return row
  }

  private var items: String { "\(Figure.grouped(bench.scale.huge)) items" }

  private func huge() throws -> String {
    try bench.copy(bench.folder(bench.belfry, bench.scale.huge), as: "escalation-many")
  }

  private func configure(_ folder: String, _ config: String) throws {
    try bench.belfry.configure(folder, Belfry.patient + Self.sink + config)
  }

  private func compare(_ what: String, rounds: Int, _ measure: @escaping (_ config: String) throws -> Double) throws
    -> [Entrant]
  {
    try bench.contest(
      what,
      [(Belfry.name, Self.escalation), (Self.without, "")].map { name, config in
        Entrant(peer: name) { _ in try measure(config) }
      }, rounds: rounds)
  }
}
