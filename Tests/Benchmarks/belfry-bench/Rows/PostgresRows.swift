import Foundation

/// The rows of stores on a database server.
struct PostgresRows {
  static let libpq = "C + libpq"
  private static let limit = "C + libpq + libcurl multi"

  let bench: BenchRun
  let stores: DeliveryStores

  func measure() throws -> [Row] {
    let server = try DatabaseServer(bench)
    bench.introduce(try C.description(bench.limits))
    let shared = SharedStores(bench: bench, server: server)
    return try deliveries(shared) + PostgresSizeRows(shared: shared).measure()
      + PostgresIdleRows(shared: shared).measure()
  }

  private func deliveries(_ shared: SharedStores) throws -> [Row] {
    let nginx = try Nginx(bench)
    let count = bench.scale.shared.deliveries
    let post = try SamplePost(bench, stores) {
      #"{ type: webhook, url: "\#($0)", concurrency: \#(SharedStores.slots) }"#
    }
    try JobQueue.allCases.forEach { try $0.introduce(to: bench) }
    let limit = Entrant(peer: Self.limit) { _ in
      try shared.rateOfLimit(count, hook: nginx.url, headers: post.headers, body: post.body)
    }
    let groups = [1, 2, 4]
    let measured = try bench.contest(
      "shared webhooks",
      groups.flatMap { daemons in
        [Entrant(peer: Belfry.name, items: daemons) { _ in try shared.rate(count, daemons: daemons, hook: nginx.url) }]
          + JobQueue.allCases.map { queue in
            Entrant(peer: queue.rawValue, items: daemons) { _ in
              try shared.server.copy("template0", as: "queue")
              return try queue.rate(
                count, workers: daemons, database: shared.server.url("queue"), hook: nginx.url, post: post,
                connections: SharedStores.sinks * SharedStores.slots)
            }
          }
      } + [limit], rounds: 3)
    return groups.map { row($0, measured) }
  }

  private func row(_ daemons: Int, _ measured: [Entrant]) -> Row {
    var row = Row(
      "postgres-\(daemons)",
      "webhooks on PostgreSQL, \(Figure.grouped(bench.scale.shared.deliveries)) to \(SharedStores.sinks) sinks with "
        + "\(SharedStores.slots) connections each, \(daemons) daemon\(daemons == 1 ? "" : "s"), from due to recorded",
      in: .perSecond, measured.filter { $0.items == nil || $0.items == daemons })
    row.hold(to: Self.limit, atLeast: 0.5)
    return row
  }
}
