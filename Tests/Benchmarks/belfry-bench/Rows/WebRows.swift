import Foundation

/// The rows of pages and changes over HTTP, beside a bare server of the same library.
struct WebRows {
  private static let items = 30
  let bench: BenchRun

  func measure() throws -> [Row] { try pageRows() + [changeRow()] }

  private func pageRows() throws -> [Row] {
    let store = try ServedStore(bench, copyOf: bench.folder(bench.belfry, Self.items, for: "web"), as: "web-served")
    let root = try bench.scratch.folder("web-site")
    let page = "\(root)/page.html"
    let bytes = try store.get("/lists/1", ["-o", page, "-w", "%{size_download}"])
    let port = try Port.free()
    let bare = try RunningProcess(
      bench.limits.server(port: port, page: page), log: "\(store.folder)/server", scratch: bench.scratch)
    defer { bare.stop() }
    try bare.waitUntilListening(on: port)
    let site = try StaticSite(bench, root: root)
    bench.introduce(
      PeerDescription(
        LimitPrograms.server, version: "2",
        "a router that answers with the same bytes, kept in memory; one thread reads and writes, as in `belfry-web`"))
    return [
      try pageRow(store, bare: port, site, bytes: bytes), try unchangedRow(store, bare: port),
    ]
  }

  private func pageRow(_ store: ServedStore, bare port: Int, _ site: StaticSite, bytes: String) throws -> Row {
    let own = try store.request("page", "GET /lists/1")
    let zipped = try store.request("zipped", "GET /lists/1", ["Accept-Encoding": "gzip"])
    let other = try ServedStore.file("\(store.folder)/bare", "GET /page", ["Host": "localhost"])
    let file = try ServedStore.file("\(store.folder)/file", "GET /page.html", ["Host": "localhost"])
    let entrants = [
      load(Belfry.name, store.port, own), load(LimitPrograms.server, port, other),
      load("\(Belfry.name), gzip", store.port, zipped), load(StaticSite.name, site.port, file),
    ]
    var row = Row(
      "web-list",
      "page of a list of \(Self.items) items from SQLite, \(bytes) B, \(RequestLoad.connections) connections",
      in: .perSecond, try bench.contest("pages of a list", entrants, rounds: 5))
    row.hold(to: LimitPrograms.server, atLeast: 0.5)
    row.hold(row.own, atLeast: 6_000)
    return row
  }

  // As a script asks after each change.
  private func unchangedRow(_ store: ServedStore, bare port: Int) throws -> Row {
    let head = try store.get("/lists/1", ["-H", "Fragment: items", "-D", "-", "-o", "/dev/null"])
    let tag = head.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix("etag: ") }?.dropFirst(6)
    guard let tag else { throw BenchmarkError("the part of a page has no ETag: \(head)") }
    let own = try store.request(
      "unchanged", "GET /lists/1", ["Fragment": "items", "If-None-Match": String(tag)])
    let other = try ServedStore.file(
      "\(store.folder)/bare-unchanged", "GET /page", ["Host": "localhost", "If-None-Match": "\"page\""])
    let entrants = [
      load(Belfry.name, store.port, own, status: 304), load(LimitPrograms.server, port, other, status: 304),
    ]
    var row = Row(
      "web-unchanged", "the items of that list unchanged, 304, as an open page asks after each change", in: .perSecond,
      try bench.contest("unchanged items", entrants, rounds: 5))
    row.hold(to: LimitPrograms.server, atLeast: 0.6)
    return row
  }

  private func load(_ peer: String, _ port: Int, _ request: String, status: Int = 200) -> Entrant {
    Entrant(peer: peer) { _ in
      try RequestLoad(bench.limits, port: port, request: request, status: status, count: bench.scale.pages).rate
    }
  }

  private func changeRow() throws -> Row {
    let count = bench.scale.changes
    let original = try bench.folder(bench.belfry, Self.items, for: "web")
    let body = #"{"text":"Buy milk","due":"2038-01-01 09:00","remind":true}"#
    let entrants = [
      Entrant(peer: Belfry.name) { _ in
        let store = try ServedStore(bench, copyOf: original, as: "web-changed")
        let request = try store.request("change", "POST /api/v1/lists/1/items", body: body)
        sync()
        let load = try RequestLoad(bench.limits, port: store.port, request: request, status: 201, count: count)
        store.process.stop()
        try bench.expect(Self.items + count, of: bench.belfry, in: store.folder)
        return load.rate
      },
      Entrant(peer: "\(LimitPrograms.sqlite), one a commit") { _ in
        let folder = try bench.copy(original, as: "web-written")
        let command = bench.limits.command(["insert", "\(folder)/belfry.sqlite", "\(count)"])
        return Double(count) / (try LimitPrograms.number(command))
      },
    ]
    bench.introduce(try C.description(bench.limits))
    var row = Row(
      "web-add",
      "items with reminders added over the API, \(RequestLoad.connections) connections, each durable before its reply",
      in: .perSecond, try bench.contest("items added over the API", entrants, rounds: 5))
    row.hold(row.own, atLeast: 2_000)
    return row
  }
}
