import Foundation

/// The row of a reminder that many browsers get at once, each sealed and signed for it alone.
struct PushRows {
  private static let curl = "C + libcurl multi, bodies sealed before"
  private static let connections = 16

  let bench: BenchRun
  let stores: DeliveryStores

  func measure() throws -> [Row] {
    let (nginx, count) = (try Nginx(bench), bench.scale.browsers)
    let post = try SamplePost(bench, stores, sink: Self.sink) { folder, url in try subscribe(1, at: url, in: folder) }
    bench.introduce(try C.description(bench.limits))
    let entrants = [
      Entrant(
        peer: Belfry.name,
        sample: { _ in
          let folder = try stores.fresh(1, sink: Self.sink(nginx.url))
          try subscribe(count, at: nginx.url, in: folder)
          sync()
          let cost = try stores.delivering(in: folder).measured()
          try stores.expectDelivered(count, in: folder)
          return Sample(value: Double(count) / (cost.wall / 1e3), cost: cost)
        }),
      Entrant(peer: Self.curl) { _ in
        let command = bench.limits.command([
          "post", nginx.url, post.headers, post.body, "\(count)", "\(Self.connections)",
        ])
        return Double(count) / (try command.measured().wall / 1e3)
      },
    ]
    var row = Row(
      "push",
      "pushes of one reminder to \(Figure.grouped(count)) browsers, \(Self.connections) connections, each recorded durably "
        + "(Belfry's start included)",
      in: .perSecond, try bench.contest("pushes", entrants, rounds: 5))
    row.hold(to: Self.curl, atLeast: 0.4)
    return [row]
  }

  // Has browsers subscribe at a push service, beside the config of a folder.
  private func subscribe(_ count: Int, at origin: String, in folder: String) throws {
    let made = try LimitPrograms.number(bench.limits.probe(["subscribe", "\(folder)/push.sqlite", origin, "\(count)"]))
    guard made == Double(count) else { throw BenchmarkError("\(made) of \(count) browsers subscribed") }
  }

  private static func sink(_ url: String) -> String {
    // An origin has no path.
    let origin = url.split(separator: "/").prefix(2).joined(separator: "//")
    return
      #"{ type: webpush, path: push.sqlite, contact: me@example.org, concurrency: \#(connections), origins: ["\#(origin)"] }"#
  }
}
