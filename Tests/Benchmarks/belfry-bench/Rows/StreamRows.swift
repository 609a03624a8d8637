import Foundation

/// The rows of open pages, each of which a stream tells of changes.
struct StreamRows {
  // Enough to see how soon a change is told that comes at any time after another.
  private static let changes = 100
  let bench: BenchRun

  func measure() throws -> [Row] {
    let count = bench.scale.streams
    let store = try ServedStore(bench, copyOf: bench.folder(bench.belfry, 30, for: "web"), as: "streams-served")
    Progress.tell("\(count) open pages, \(Self.changes) changes …")
    // What the first page and the first changes take once does not belong to each page.
    let first = try EventStreams(bench, store, count: 1, changes: 5)
    let before = try Usage(of: store.process)
    let open = try EventStreams(bench, store, count: count)
    let memory = try Usage(of: store.process).memory - before.memory
    first.close()
    let idle = try idleRows(store, count)
    open.close()
    let told = try EventStreams(bench, store, count: count, changes: min(Self.changes, bench.scale.changes))
    told.close()
    return [changeRow(told, count), memoryRow(memory, count)] + idle
  }

  private func changeRow(_ told: EventStreams, _ count: Int) -> Row {
    var row = Row(
      "web-change", "from a change over the API until \(count) open pages were told of it", .milliseconds)
    row.add(Belfry.name, told.latencies)
    row.hold(told.latencies.max(), "worst ", atMost: 250)
    return row
  }

  private func memoryRow(_ memory: Double, _ count: Int) -> Row {
    var row = Row("web-page-memory", "memory of `belfry-web` for each of \(count) open pages", .bytes)
    row.add(Belfry.name, [memory * 1_048_576 / Double(count)])
    row.hold(row.own, atMost: 61_440)
    return row
  }

  private func idleRows(_ store: ServedStore, _ count: Int) throws -> [Row] {
    let seconds = Double(bench.scale.watch)
    // Threads that were started for something end when they had nothing to do for five seconds.
    Clock.sleep(milliseconds: 7_000)
    Progress.tell("Watching \(count) open pages for \(Int(seconds)) seconds …")
    let (start, time) = (try Usage(of: store.process), Clock.monotonic)
    Clock.sleep(milliseconds: seconds * 1e3)
    let (end, hours) = (try Usage(of: store.process), (Clock.monotonic - time) / 3_600_000)
    let what = "`belfry-web` with \(count) open pages and nothing to tell"
    var processor = Row("web-idle-cpu", "\(what): processor time", .secondsPerHour)
    processor.add(Belfry.name, [(end.processor - start.processor) / hours])
    var wakes = Row("web-idle-wakes", "\(what): wake-ups", .perHour)
    wakes.add(Belfry.name, [Double(end.wakes - start.wakes) / hours])
    return [processor, wakes]
  }
}
