import Foundation

/// The rows of a daemon that starts with very many deliveries pending, beside as many items scheduled as the largest
/// store has.
struct PendingRows {
  let bench: BenchRun
  let stores: DeliveryStores

  func measure() throws -> [Row] {
    let (count, nginx) = (bench.scale.pending, try Nginx(bench))
    let folder = try prepare(count)
    try bench.belfry.configure(folder, Self.config("\(nginx.url)/timed"))
    nginx.forget()
    sync()
    let start = Clock.wall
    let daemon = try RunningProcess(bench.belfry.daemon(in: folder), log: "\(folder)/log", scratch: bench.scratch)
    defer { daemon.stop() }
    _ = try nginx.end(of: 1)
    let first = (nginx.times.min() ?? 0) - start
    Progress.tell("\(Figure.grouped(count)) pending deliveries …")
    // Most of them, while which the memory has reached what it will.
    _ = try nginx.end(of: count / 2)
    let memory = try Usage(of: daemon).peakMemory
    let what = "`belfryd` with \(Figure.grouped(count)) pending, \(Figure.grouped(bench.scale.huge)) scheduled"
    var size = Row("pending-memory", "\(what): most memory", .mebibytes)
    size.add(Belfry.name, [memory])
    size.hold(size.own, atMost: 64)
    var time = Row("pending-start", "\(what): from its start to the first message", .milliseconds)
    time.add(Belfry.name, [first * 1e3])
    return [size, time]
  }

  // One reminder rings at nobody, and is copied.
  private func prepare(_ count: Int) throws -> String {
    let folder = try bench.copy(bench.folder(bench.belfry, bench.scale.huge), as: "pending")
    try bench.belfry.addOverdue(["Pending"], in: folder)
    try bench.belfry.configure(folder, Self.config("http://127.0.0.1:1/"))
    // It ends with the status of something that is to be tried again.
    _ = try? stores.delivering(in: folder).measured()
    let copies = Command(
      program: "/usr/bin/python3",
      arguments: [
        "-B", TestFiles.path("EndToEndTests/Fixtures/many_pending.py"), "\(folder)/belfry.sqlite", "\(count)",
      ], environment: Surroundings.variables(home: folder))
    _ = try copies.output()
    return folder
  }

  private static func config(_ hook: String) -> String {
    "\(Belfry.patient)sinks: { peer: { type: webhook, url: \"\(hook)\", concurrency: 16 } }\n"
  }
}
