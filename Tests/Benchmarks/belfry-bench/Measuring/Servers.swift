import Foundation

/// An nginx that answers 204: `/` at once, `/timed` with the time in its log.
final class Nginx {
  /// The URL without a path.
  var url: String { "http://127.0.0.1:\(server.port)" }
  private let server: PeerServer
  private var log: String { "\(server.folder)/timed" }

  /// Starts nginx and waits until it listens.
  init(_ bench: BenchRun) throws {
    server = try .nginx(bench, http: "log_format time '$msec';") { folder in
      "location / { return 204; } location /timed { access_log \(folder)/timed time; return 204; }"
    }
    bench.introduce(
      PeerDescription(
        "nginx", version: try Surroundings.packageVersion("nginx"), "answers 204 on loopback, keep-alive, one worker"))
  }

  /// The times of the answers at `/timed` since the log was cleared, in seconds since 1970.
  var times: [Double] {
    let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { Double($0) }
  }

  /// Clears the log of `/timed`.
  func forget() { truncate(log, 0) }

  /// The time of the last of this many answers at `/timed`, in seconds since 1970.
  ///
  /// - Throws: ``BenchmarkError`` where fewer come within a minute.
  func end(of count: Int) throws -> Double {
    for _ in 0..<6_000 {
      let all = times
      if all.count >= count { return all.max() ?? 0 }
      Clock.sleep(milliseconds: 10)
    }
    throw server.process.failure("was not asked \(count) times within a minute")
  }
}

/// Postfix's `smtp-sink`, which discards every mail, or keeps it in files.
final class MailSink {
  /// The port on this machine.
  let port: Int
  private let process: RunningProcess
  private let folder: String

  /// Starts it and waits until it listens.
  init(_ bench: BenchRun, keepsMails: Bool = false) throws {
    let program = try Surroundings.program("smtp-sink", package: "postfix")
    port = try Port.free()
    folder = try bench.scratch.folder("smtp-sink-\(port)")
    let user = getuid() == 0 ? ["-u", "root"] : []
    let kept = keepsMails ? ["-d", "\(folder)/mail."] : []
    let command = Command(
      program: program, arguments: user + kept + ["127.0.0.1:\(port)", "256"],
      environment: Surroundings.variables(home: folder))
    process = try RunningProcess(command, log: "\(folder)/log", scratch: bench.scratch)
    try process.waitUntilListening(on: port)
    bench.introduce(
      PeerDescription(
        "smtp-sink and smtp-source", version: try Surroundings.packageVersion("postfix"),
        "Postfix's own, on loopback; smtp-source sends mails of the same length"))
  }

  /// The kept mails, as they were sent.
  func mails() throws -> [String] {
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("mail.") }
    return try files.map { file in
      let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      // smtp-sink writes lines of its own before the mail.
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let own = lines.drop { $0.hasPrefix("X-") }
      return own.joined(separator: "\r\n")
    }
  }
}
