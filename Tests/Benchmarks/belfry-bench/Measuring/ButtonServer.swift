import Foundation

/// A server of the tests that shows messages with buttons, and the one who presses them.
final class ButtonServer {
  /// The kinds of servers, as `presses.py` names them.
  enum Kind: String {
    case desktop, telegram, ntfy
  }

  /// The sink that sends to it, for a config.
  let sink: String
  private let kind: Kind
  private let folder: String
  private let bus: RunningProcess?
  private let process: RunningProcess

  /// Starts a server and waits until it listens.
  init(_ kind: Kind, _ bench: BenchRun) throws {
    let folder = try bench.scratch.folder("buttons-\(kind.rawValue)")
    let busAddress = kind == .desktop ? "unix:path=\(folder)/bus" : nil
    try kind.configuration.write(toFile: "\(folder)/configuration.json", atomically: false, encoding: .utf8)
    try "\(Kind.token)\n".write(toFile: "\(folder)/token", atomically: false, encoding: .utf8)
    bus = try busAddress.map { try Self.startBus(at: $0, folder, bench) }
    let script = TestFiles.path("Support/Services/\(kind.script)")
    process = try RunningProcess(
      Self.python([script] + [busAddress].compactMap(\.self), in: folder), log: "\(folder)/log",
      scratch: bench.scratch)
    let port = try Self.announcement(of: process)
    sink = kind.sink(at: busAddress ?? "http://127.0.0.1:\(port)", tokenFile: "\(folder)/token")
    (self.kind, self.folder) = (kind, folder)
  }

  /// Presses a button of each of this many messages, one after another, once all have come.
  ///
  /// - Returns: the milliseconds from each press until another reader of the store sees its item checked.
  /// - Throws: ``BenchmarkError`` where one is not checked.
  func press(_ count: Int, store: String) throws -> [Double] {
    let script = TestFiles.path("Benchmarks/presses.py")
    let command = Self.python([script, kind.rawValue, store, "\(count)"], in: folder)
    let latencies = try command.output().split(whereSeparator: \.isNewline).compactMap { Double($0) }
    guard latencies.count == count else {
      throw process.failure("had \(latencies.count) of \(count) buttons pressed")
    }
    return latencies
  }

  // Debian's, which has the library for D-Bus.
  private static func python(_ words: [String], in folder: String) -> Command {
    Command(
      program: "/usr/bin/env", arguments: ["-C", folder, "/usr/bin/python3", "-B"] + words,
      environment: Surroundings.variables(home: folder))
  }

  private static func startBus(at address: String, _ folder: String, _ bench: BenchRun) throws -> RunningProcess {
    let command = Command(
      program: try Surroundings.program("dbus-daemon", package: "dbus"),
      arguments: ["--session", "--nofork", "--nopidfile", "--print-address=1", "--address=\(address)"],
      environment: Surroundings.variables(home: folder))
    let bus = try RunningProcess(command, log: "\(folder)/bus-log", scratch: bench.scratch)
    _ = try announcement(of: bus)
    return bus
  }

  // The line that a server prints once it listens.
  private static func announcement(of process: RunningProcess) throws -> String {
    let line = String(decoding: process.pipe.read(), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard !line.isEmpty else { throw process.failure("did not start") }
    return line
  }
}

extension ButtonServer.Kind {
  fileprivate static let token = "7000000001:AAF-a_token_for_the_benchmark"
  private static let chat = 1_001

  fileprivate var script: String { self == .desktop ? "notification_server.py" : "\(rawValue)_server.py" }

  fileprivate var configuration: String {
    switch self {
    case .desktop: #"{"capabilities":["actions","body","body-markup"],"hasPortal":false}"#
    case .telegram: #"{"token":"\#(Self.token)","chats":[\#(Self.chat)],"standsAt":null}"#
    case .ntfy: #"{"keepalive":45,"credentials":[],"standsAt":null}"#
    }
  }

  fileprivate func sink(at address: String, tokenFile: String) -> String {
    switch self {
    case .desktop: #"{ type: desktop, bus: "\#(address)" }"#
    case .telegram:
      #"{ type: telegram, token_file: "\#(tokenFile)", chat_id: \#(Self.chat), api_url: "\#(address)" }"#
    case .ntfy: #"{ type: webhook, format: ntfy, url: "\#(address)/bells", reply_topic: "\#(address)/answers" }"#
    }
  }
}
