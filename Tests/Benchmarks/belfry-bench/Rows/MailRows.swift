import Foundation

struct MailRows {
  private static let curl = "C + libcurl"
  let bench: BenchRun
  let stores: DeliveryStores

  /// Measures the rows, over one connection and over eight.
  func measure() throws -> [Row] {
    let mail = try capture()
    let server = try MailSink(bench)
    bench.introduce(try C.description(bench.limits))
    return try [1, 8].map { try row($0, mail, server) }
  }

  private func row(_ connections: Int, _ mail: String, _ server: MailSink) throws -> Row {
    let count = bench.scale.deliveries
    let sink = Self.sink(server.port, connections)
    let same = bench.limits.command(["mail", "smtp://127.0.0.1:\(server.port)", mail, "\(count)", "\(connections)"])
    let source = try self.source(count, connections, mail, server)
    let entrants = [
      Entrant(peer: Belfry.name, sample: { _ in try stores.rate(count, sink: sink) }),
      Entrant(peer: Self.curl) { _ in Double(count) / (try same.measured().wall / 1e3) },
      Entrant(peer: "smtp-source") { _ in Double(count) / (try source.measured().wall / 1e3) },
    ]
    var measured = try bench.contest("mails over \(connections)", entrants, rounds: 3)
    if connections == 1, let apprise = try? Apprise(bench) {
      let few = bench.scale.slowDeliveries
      let url = "mailto://127.0.0.1:\(server.port)/?from=belfry@example.org&to=you@example.org"
      let one = Entrant(peer: apprise.name) { _ in try apprise.rate(max(2, few / 100), url: url) }
      measured += try bench.contest("mails by Apprise", [one], rounds: 1)
    }
    var row = Row(
      "mail-\(connections)",
      "mails, \(Figure.grouped(count)), \(connections == 1 ? "one connection" : "\(connections) connections"), each recorded durably",
      in: .perSecond, measured)
    row.hold(to: Self.curl, atLeast: 0.8)
    return row
  }

  private func source(_ count: Int, _ sessions: Int, _ mail: String, _ server: MailSink) throws -> Command {
    let length = try FileManager.default.attributesOfItem(atPath: mail)[.size] as? Int ?? 0
    return Command(
      program: try Surroundings.program("smtp-source", package: "postfix"),
      arguments: [
        "-d", "-s", "\(sessions)", "-m", "\(count)", "-l", "\(length)", "-f", "belfry@example.org", "-t",
        "you@example.org", "127.0.0.1:\(server.port)",
      ], environment: Surroundings.variables(home: bench.scratch.path))
  }

  private static func sink(_ port: Int, _ connections: Int) -> String {
    """
    { type: email, url: "smtp://127.0.0.1:\(port)", tls: none, from: belfry@example.org, to: [you@example.org], \
    concurrency: \(connections) }
    """
  }

  // One mail of Belfry, stored in a file.
  private func capture() throws -> String {
    let server = try MailSink(bench, keepsMails: true)
    let folder = try stores.fresh(1, sink: Self.sink(server.port, 1))
    _ = try stores.delivering(in: folder).output()
    guard let mail = try server.mails().first else { throw BenchmarkError("no mail came") }
    let file = "\(try bench.scratch.folder("mail"))/mail"
    try mail.write(toFile: file, atomically: false, encoding: .utf8)
    return file
  }
}
