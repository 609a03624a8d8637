import Foundation

/// Streams of changes that a C program holds open.
final class EventStreams {
  /// The milliseconds from each change until all streams have told of it.
  let latencies: [Double]
  private let process: RunningProcess

  /// Opens streams, and makes changes while they are open.
  ///
  /// - Throws: ``BenchmarkError`` where a stream ends or does not tell of a change.
  init(_ bench: BenchRun, _ store: ServedStore, count: Int, changes: Int = 0) throws {
    let opening = try store.request("stream", "GET /api/v1/events")
    let change = try store.request("change", "POST /api/v1/lists/1/items", body: #"{"text":"Buy milk"}"#)
    let command = bench.limits.command(["watch", "\(store.port)", opening, "\(count)", change, "\(changes)"])
    process = try RunningProcess(command, log: "\(store.folder)/watch", scratch: bench.scratch)
    var text = ""
    while !text.hasSuffix("watching\n") {
      let part = process.pipe.read()
      guard !part.isEmpty else { throw process.failure("ended before all of \(count) streams told of each change") }
      text += String(decoding: part, as: UTF8.self)
    }
    latencies = text.split(whereSeparator: \.isNewline).compactMap { Double($0) }
  }

  func close() { process.stop() }
}
