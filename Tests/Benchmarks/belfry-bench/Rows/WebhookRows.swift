import Foundation

struct WebhookRows {
  private static let curl = "C + libcurl multi"
  private static let durable = "C + libcurl multi + libsqlite3"
  private static let connections = 16

  let bench: BenchRun
  let stores: DeliveryStores

  func measure() throws -> [Row] {
    let nginx = try Nginx(bench)
    return [try rateRow(nginx), try burstRow(nginx)]
  }

  private func rateRow(_ nginx: Nginx) throws -> Row {
    let count = bench.scale.deliveries
    let sink = Self.sink(nginx.url)
    let post = try SamplePost(bench, stores, sink: Self.sink)
    bench.introduce(try C.description(bench.limits))
    let same = bench.limits.command([
      "post", nginx.url, post.headers, post.body, "\(count)", "\(Self.connections)",
    ])
    let entrants = [
      Entrant(peer: Belfry.name, sample: { _ in try stores.rate(count, sink: sink) }),
      Entrant(peer: Self.durable) { _ in
        let folder = try stores.fresh(count, sink: sink)
        sync()
        let delivering = bench.limits.command([
          "deliver", "\(folder)/belfry.sqlite", nginx.url, post.headers, post.body, "\(Self.connections)",
        ])
        let seconds = try delivering.measured().wall / 1e3
        try stores.expectDelivered(count, in: folder)
        return Double(count) / seconds
      },
      Entrant(peer: Self.curl) { _ in Double(count) / (try same.measured().wall / 1e3) },
    ]
    var measured = try bench.contest("webhooks", entrants, rounds: 5)
    if let apprise = try? Apprise(bench) {
      let few = bench.scale.slowDeliveries
      let one = Entrant(peer: apprise.name) { _ in
        try apprise.rate(few, url: "json://\(nginx.url.dropFirst("http://".count))/")
      }
      measured += try bench.contest("webhooks by Apprise", [one], rounds: 2)
    }
    var row = Row(
      "webhook", "webhooks, \(Figure.grouped(count)), \(Self.connections) connections, each recorded durably",
      in: .perSecond,
      measured)
    row.hold(to: Self.curl, atLeast: 0.7)
    row.hold(to: Self.durable, atLeast: 0.75)
    return row
  }

  private func burstRow(_ nginx: Nginx) throws -> Row {
    let count = bench.scale.alerts
    let alertmanager = try Alertmanager(bench, hook: "\(nginx.url)/timed")
    let sink = Self.sink("\(nginx.url)/timed")
    let entrants = [
      Entrant(peer: Belfry.name) { _ in
        let folder = try stores.fresh(count, sink: sink)
        nginx.forget()
        let start = Clock.wall
        _ = try stores.delivering(in: folder).measured()
        let end = try nginx.end(of: count)
        try stores.expectDelivered(count, in: folder)
        return (end - start) * 1e3
      },
      Entrant(peer: Alertmanager.name) { round in
        nginx.forget()
        let start = try alertmanager.alert(count, round: round)
        return (try nginx.end(of: count) - start) * 1e3
      },
    ]
    var row = Row(
      "webhook-burst", "\(Figure.grouped(count)) due at once to a webhook, last one there (Belfry's start included)",
      try bench.contest("webhooks at once", entrants, rounds: 5))
    row.hold(to: Alertmanager.name, atMost: 0.3)
    return row
  }

  private static func sink(_ url: String) -> String {
    #"{ type: webhook, url: "\#(url)", concurrency: \#(connections) }"#
  }
}
