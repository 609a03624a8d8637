import Foundation

/// A store whose reminders have rung, with a token for each, and a web face that answers them.
struct RungStore {
  private static let file = "belfry.sqlite"
  private let bench: BenchRun
  private let original: String
  /// The port of the web face.
  let port: Int
  /// The file of the tokens, one on each line.
  let tokens: String

  /// Delivers this many reminders, and signs their tokens.
  init(_ bench: BenchRun, _ stores: DeliveryStores, count: Int) throws {
    self.bench = bench
    port = try Port.free()
    let delivered = try stores.fresh(count)
    _ = try stores.delivering(in: delivered).measured()
    try stores.expectDelivered(count, in: delivered)
    original = try bench.copy(delivered, as: "rung-\(count)")
    tokens = "\(original)/tokens"
    try configure(original)
    // Everybody has it who once signed in, and each press looks into it.
    try bench.belfry.addAccess(in: original)
    let signed = try bench.limits.probe(["tokens", "\(original)/\(Self.file)", "\(original)/keys"]).output()
    try signed.write(toFile: tokens, atomically: false, encoding: .utf8)
  }

  func fresh() throws -> String { try bench.copy(original, as: "answering") }

  /// Writes the config of a copy, with further lines.
  func configure(_ folder: String, _ more: String = "") throws {
    let web = """
      answers: { key_file: keys }
      web: { listen: "127.0.0.1:\(port)", public_url: "http://127.0.0.1:\(port)" }

      """
    try bench.belfry.configure(folder, Belfry.patient + web + more)
  }

  func database(in folder: String) -> String { "\(folder)/\(Self.file)" }

  /// Starts the web face of a folder, and waits until it listens.
  func serve(_ folder: String) throws -> RunningProcess {
    let web = try RunningProcess(bench.belfry.web(in: folder), log: "\(folder)/web", scratch: bench.scratch)
    try web.waitUntilListening(on: port)
    return web
  }

  /// Checks that this many answers were carried out.
  func expectAnswered(_ count: Int, in folder: String) throws {
    let answered = try Int(LimitPrograms.number(bench.limits.probe(["answered", database(in: folder)])))
    guard answered == count else { throw BenchmarkError("of \(count) presses \(answered) were carried out") }
  }
}
