import Foundation

/// The rows of pages of a long timeline of deliveries.
struct TimelineRows {
  private static let length = 50
  private static let loads = 30
  let bench: BenchRun
  let stores: DeliveryStores

  func measure() throws -> [Row] {
    let count = bench.scale.timeline
    let delivered = try stores.fresh(count)
    Progress.tell("Delivering \(Figure.grouped(count)) reminders …")
    _ = try stores.delivering(in: delivered).measured()
    try stores.expectDelivered(count, in: delivered)
    let store = try ServedStore(bench, copyOf: delivered, as: "timeline-served")
    return try [("first", count), ("middle", count / 2), ("last", Self.length)].map { name, newest in
      try row(store, name, newest: newest, of: count)
    }
  }

  private func row(_ store: ServedStore, _ name: String, newest: Int, of count: Int) throws -> Row {
    let page = (count - newest) / Self.length + 1
    let request = try store.request("timeline-\(name)", "GET /deliveries?page=\(page)&before=\(newest + 1)")
    let load = try RequestLoad(bench.limits, port: store.port, request: request, connections: 1, count: Self.loads)
    var row = Row(
      "web-timeline-\(name)", "\(name) page of a timeline of \(Figure.grouped(count)) deliveries", .milliseconds)
    row.add(Belfry.name, load.latencies)
    row.hold(row.own, atMost: 50)
    return row
  }
}
