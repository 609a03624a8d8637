import Foundation

/// Stores of due reminders, to be delivered repeatedly.
struct DeliveryStores {
  private let bench: BenchRun

  init(_ bench: BenchRun) { self.bench = bench }

  /// A new copy of a store with this many due reminders for a sink, stdout by default.
  func fresh(_ count: Int, sink: String? = nil) throws -> String {
    let original = try bench.scratch.folder("deliver-\(count)")
    if access("\(original)/belfry.sqlite", F_OK) != 0 {
      try bench.belfry.addOverdue((1...count).map { "Item \($0)" }, in: original)
    }
    let folder = try bench.copy(original, as: "delivering")
    try bench.belfry.configure(folder, Belfry.patient + (sink.map { "sinks:\n  peer: \($0)\n" } ?? ""))
    return folder
  }

  /// The command that delivers what is due, and ends when all outcomes are recorded.
  func delivering(in folder: String) -> Command { bench.belfry.daemon(in: folder, ["--once"]) }

  /// The reminders delivered and recorded in a second, over the whole run of the process.
  func rate(_ count: Int, sink: String) throws -> Sample {
    let folder = try fresh(count, sink: sink)
    sync()
    let cost = try delivering(in: folder).measured()
    try expectDelivered(count, in: folder)
    return Sample(value: Double(count) / (cost.wall / 1e3), cost: cost)
  }

  /// Checks that every reminder is recorded as delivered, and how many are to come.
  func expectDelivered(_ count: Int, scheduled: Int = 0, in folder: String) throws {
    let delivered = try delivered(scheduled: scheduled, in: folder)
    guard delivered == count else {
      throw BenchmarkError("of \(count) reminders \(delivered) were delivered")
    }
  }

  /// The number of delivered reminders, where none failed and this many are to come.
  func delivered(scheduled: Int, in folder: String) throws -> Int {
    try Int(LimitPrograms.number(bench.limits.probe(["delivered", "\(folder)/belfry.sqlite", "\(scheduled)"])))
  }
}
