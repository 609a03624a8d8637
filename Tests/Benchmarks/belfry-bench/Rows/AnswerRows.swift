import Foundation

/// The rows of answers over HTTP.
struct AnswerRows {
  // The presses in a second, and the reminders that ring beside them.
  private static let (pressRate, ringRate) = (50, 100)
  private static let single = "\(LimitPrograms.sqlite), one a commit"
  private static let grouped = "\(LimitPrograms.sqlite), \(RequestLoad.connections) a commit"

  let bench: BenchRun
  let stores: DeliveryStores

  /// Measures the rows; an idle web face, which ends after ten minutes, is watched meanwhile.
  func measure() throws -> [Row] {
    let idle = try IdleWebRows(bench)
    let count = bench.scale.deliveries
    let rung = try RungStore(bench, stores, count: count)
    bench.introduce(try C.description(bench.limits))
    let (latency, idleRows) = (try latencyRow(rung), try idle.end())
    return [latency, try rateRow(rung, count)] + idleRows
  }

  private func rateRow(_ rung: RungStore, _ count: Int) throws -> Row {
    let port = try Port.free()
    let server = try RunningProcess(
      bench.limits.server(port: port), log: "\(bench.scratch.path)/server", scratch: bench.scratch)
    defer { server.stop() }
    try server.waitUntilListening(on: port)
    let entrants = [
      Entrant(peer: Belfry.name) { _ in
        let folder = try rung.fresh()
        let web = try rung.serve(folder)
        defer { web.stop() }
        sync()
        let load = try RequestLoad(bench.limits, port: rung.port, tokens: rung.tokens, as: .json)
        try rung.expectAnswered(count, in: folder)
        return load.rate
      },
      Entrant(peer: LimitPrograms.server) { _ in
        try RequestLoad(bench.limits, port: port, tokens: rung.tokens, as: .json).rate
      },
      commits(rung, count, 1, Self.single), commits(rung, count, RequestLoad.connections, Self.grouped),
    ]
    var row = Row(
      "answers",
      "answers over HTTP, \(Figure.grouped(count)), \(RequestLoad.connections) connections, each durable before its reply",
      in: .perSecond, try bench.contest("answers", entrants, rounds: 5))
    row.hold(row.own, atLeast: 2_000)
    return row
  }

  private func commits(_ rung: RungStore, _ count: Int, _ batch: Int, _ peer: String) -> Entrant {
    Entrant(peer: peer) { _ in
      let database = rung.database(in: try rung.fresh())
      sync()
      let seconds = try LimitPrograms.number(bench.limits.command(["answer", database, "\(count)", "\(batch)"]))
      return Double(count) / seconds
    }
  }

  private func latencyRow(_ rung: RungStore) throws -> Row {
    let count = bench.scale.presses
    let nginx = try Nginx(bench)
    let folder = try rung.fresh()
    let tokens = "\(folder)/few"
    let lines = try String(contentsOfFile: rung.tokens, encoding: .utf8).split(separator: "\n").prefix(count)
    try (lines.joined(separator: "\n") + "\n").write(toFile: tokens, atomically: false, encoding: .utf8)
    // Enough to ring until the last press, and for a while before the first.
    let rings = count / Self.pressRate * Self.ringRate + 15 * Self.ringRate
    try bench.belfry.addOverdue((1...rings).map { "Ring \($0)" }, in: folder)
    try rung.configure(folder, Self.sink("\(nginx.url)/timed"))
    nginx.forget()
    let web = try rung.serve(folder)
    let daemon = try RunningProcess(bench.belfry.daemon(in: folder), log: "\(folder)/log", scratch: bench.scratch)
    defer { for process in [web, daemon] { process.stop() } }
    _ = try nginx.end(of: 1)
    Progress.tell("\(Figure.grouped(count)) answers, \(Self.pressRate) a second …")
    let start = nginx.times.count
    let load = try RequestLoad(bench.limits, port: rung.port, tokens: tokens, as: .page, rate: Self.pressRate)
    let rang = nginx.times.count - start
    guard rang > count else { throw daemon.failure("rang \(rang) reminders beside \(count) answers, which is too few") }
    try rung.expectAnswered(count, in: folder)
    return row(load.latencies)
  }

  private func row(_ latencies: [Double]) -> Row {
    var row = Row(
      "answer-latency",
      "an answer over HTTP, durable before its page, \(Self.pressRate) a second beside a `belfryd` that rings \(Self.ringRate)",
      .milliseconds)
    row.add(Belfry.name, latencies)
    row.hold(Summary.quantile(0.99, of: latencies.sorted()), "p99 ", atMost: 20)
    return row
  }

  private static func sink(_ url: String) -> String {
    #"sinks: { peer: { type: webhook, url: "\#(url)", concurrency: 16, rate_limit: \#(ringRate)/s } }"# + "\n"
  }
}
