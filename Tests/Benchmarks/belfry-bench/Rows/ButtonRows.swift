import Foundation

/// The rows of buttons that need no open port: from a press to the item checked on disk.
struct ButtonRows {
  let bench: BenchRun
  let stores: DeliveryStores

  func measure() throws -> [Row] {
    try [row(.desktop, "on the desktop", 50), row(.telegram, "over Telegram", 100), row(.ntfy, "over ntfy", 100)]
  }

  private func row(_ kind: ButtonServer.Kind, _ way: String, _ limit: Double) throws -> Row {
    let count = bench.scale.buttons
    let server = try ButtonServer(kind, bench)
    let folder = try stores.fresh(count, sink: server.sink)
    sync()
    let daemon = try RunningProcess(bench.belfry.daemon(in: folder), log: "\(folder)/log", scratch: bench.scratch)
    defer { daemon.stop() }
    Progress.tell("\(Figure.grouped(count)) presses \(way) …")
    let latencies = try server.press(count, store: "\(folder)/belfry.sqlite")
    var row = Row(
      "press-\(kind.rawValue)",
      "from a press \(way) to the item checked on disk, \(Figure.grouped(count)) one after another", .milliseconds)
    row.add(Belfry.name, latencies)
    row.hold(Summary.quantile(0.99, of: latencies.sorted()), "p99 ", atMost: limit)
    return row
  }
}
