import Foundation

/// The rows of pages in a browser whose processor is slowed down.
struct PageRows {
  private static let few = 30
  private static let many = 1_000
  let bench: BenchRun

  func measure() throws -> [Row] {
    let store = try ServedStore(bench, copyOf: bench.folder(bench.belfry, Self.few, for: "web"), as: "pages-served")
    let many = min(Self.many, bench.scale.sizes.last ?? Self.many)
    let full = try ServedStore(bench, copyOf: bench.folder(bench.belfry, many, for: "web"), as: "pages-full")
    let (site, fullSite) = (try site(of: store, "few"), try site(of: full, "many"))
    let receiver = try Nginx(bench)
    let alertmanager = try Alertmanager(bench, hook: receiver.url)
    let radicale = try Radicale(bench)
    _ = try alertmanager.alert(Self.few, round: 0)
    bench.introduce(
      PeerDescription(
        "Chromium", version: try Surroundings.packageVersion("chromium"),
        "a new visitor for each load, processor slowed down \(PageLoads.slowdown) ×"))
    let rounds = min(bench.options.rounds, 10)
    let pages = try PageLoads(
      [
        .init(peer: Belfry.name, url: store.url("/lists/1"), token: store.token), target(site),
        .init(peer: Alertmanager.name, url: alertmanager.url), .init(peer: Radicale.name, url: radicale.url),
      ], rounds: rounds, bench)
    let fullPages = try PageLoads(
      [.init(peer: Belfry.name, url: full.url("/lists/1"), token: full.token), target(fullSite)], rounds: rounds, bench)
    return rows(of: pages) + [fullRow(fullPages, many)]
  }

  private func rows(of pages: PageLoads) -> [Row] {
    let what = "first load of a list of \(Self.few) items in Chromium"
    var time = pages.row("web-usable", "\(what): until it is usable", .milliseconds, \.time)
    time.hold(to: StaticSite.name, atMost: 1.5)
    var bytes = pages.row("web-bytes", "\(what): bytes until it is usable", .bytes, \.bytes)
    bytes.hold(bytes.own, atMost: 30_000)
    var requests = pages.row("web-requests", "\(what): requests until it is usable", .count, \.requests)
    requests.hold(requests.own, atMost: 4)
    let all = pages.row(
      "web-all-requests", "\(what): requests until it asks for nothing more", .count, \.allRequests)
    return [time, bytes, requests, all]
  }

  private func fullRow(_ pages: PageLoads, _ count: Int) -> Row {
    var row = pages.row(
      "web-usable-many", "first load of a list of \(Figure.grouped(count)) items in Chromium: until it is usable",
      .milliseconds, \.time)
    row.hold(row.own, atMost: 900)
    row.hold(to: StaticSite.name, atMost: 1.5)
    return row
  }

  // The files that the page needs, as belfry-web sends them.
  private func site(of store: ServedStore, _ name: String) throws -> StaticSite {
    let root = try bench.scratch.folder("site-\(name)")
    let page = try store.get("/lists/1")
    let files = page.split(separator: "\"").map(String.init).filter { path in
      ["/style-", "/script-"].contains { path.hasPrefix($0) }
    }
    for path in ["/lists/1"] + files {
      let file = "\(root)\(path)"
      _ = try store.get(path, ["--create-dirs", "-o", file])
      _ = try store.get(path, ["-H", "Accept-Encoding: gzip", "-o", "\(file).gz"])
    }
    return try StaticSite(bench, root: root)
  }

  private func target(_ site: StaticSite) -> PageLoads.Target {
    .init(peer: StaticSite.name, url: "http://127.0.0.1:\(site.port)/lists/1")
  }
}
