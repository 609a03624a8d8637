import Foundation
import Testing

/// Options for running a program.
struct RunOptions {
  var input: Data?
  var inputIsClosed = false
  var output: ChildProcess.Stream?
  var messages: ChildProcess.Stream?
  /// The start of the clock, such as `2026-11-21 08:58:57`, or an offset, such as `-2h`, or a speed: `+0 x20`.
  var clock: String?
  var environment: [String: String] = [:]
  /// Words before the program, such as `setpriv` and its options.
  var prefix: [String] = []
  /// True if it skips the queue of programs, because it mostly waits or its timing matters.
  var isUrgent = false
  /// The time limit in seconds. By default 10 minutes for `run`, which waits for the end, and 30 for `start`, whose
  /// program runs beside a test that may wait for its turn.
  var deadline: Double?

  static func at(_ clock: String) -> RunOptions { RunOptions(clock: clock) }
  static func input(_ text: String) -> RunOptions { RunOptions(input: Data(text.utf8)) }
}

extension Sandbox {
  /// Runs `belfry` to its end.
  @discardableResult
  func belfry(_ arguments: String..., options: RunOptions = RunOptions()) async throws -> Outcome {
    try await run([Programs.belfry] + arguments, options)
  }

  /// Runs `belfry`, which must succeed, and returns its output as JSON.
  @discardableResult
  func json(_ arguments: String..., at clock: String? = nil) async throws -> JSON {
    let outcome = try await run([Programs.belfry] + arguments + ["--json"], RunOptions(clock: clock))
    try #require(outcome.isDone, "\(outcome)")
    return try outcome.json
  }

  /// The numbers of the items in the output of `belfry`.
  func ids(_ arguments: String...) async throws -> [Int64] {
    let outcome = try await run([Programs.belfry] + arguments + ["--json"], RunOptions())
    try #require(outcome.isDone, "\(outcome)")
    return try outcome.elements.compactMap { $0["id"]?.integer }
  }

  /// Runs a bash script, with the program's path in `$BELFRY`.
  func shell(_ script: String, options: RunOptions = RunOptions()) async throws -> Outcome {
    var options = options
    options.environment["BELFRY"] = try Programs.belfry
    return try await run([Programs.shell, "-c", script], options)
  }

  func python(_ program: String, _ arguments: [String] = []) async throws -> Outcome {
    try await run([Programs.python, "-B", "-c", program] + arguments, RunOptions())
  }

  /// Runs a program to its end.
  func run(_ words: [String], _ options: RunOptions) async throws -> Outcome {
    try await run(bytes: words.map { Array($0.utf8) }, options)
  }

  /// Runs a program whose arguments need not be UTF-8.
  func run(bytes words: [[UInt8]], _ options: RunOptions) async throws -> Outcome {
    let name = "run-\(UUID().uuidString)"
    var options = options
    options.output = options.output ?? .writing(path(name + ".out"))
    options.messages = options.messages ?? .writing(path(name + ".err"))
    options.deadline = options.deadline ?? 600
    let end =
      if options.isUrgent {
        try await start(bytes: words, options).end
      } else {
        try await Turns.run(ticket) { try await start(bytes: words, options).end }
      }
    defer { for kind in ["out", "err", "in"] { unlink(path("\(name).\(kind)")) } }
    return Outcome(
      words: words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " "), end: end,
      output: text(name + ".out"), messages: text(name + ".err"))
  }

  /// Starts a program and does not wait for it.
  func start(bytes words: [[UInt8]], _ options: RunOptions) throws -> ChildProcess {
    var environment = environment.merging(options.environment) { $1 }
    if let clock = options.clock { environment.merge(try FakeClock.environment(clock)) { $1 } }
    // `env` changes to the folder. It is also the process that first loads the clock's library, which changes that
    // process's own environment.
    let start = ([Programs.env, "-C", folder] + options.prefix).map { Array($0.utf8) }
    var input = ChildProcess.Stream.reading("/dev/null")
    if options.inputIsClosed { input = .closed }
    if let data = options.input {
      let name = "input-\(UUID().uuidString)"
      try write(data, to: name)
      input = .reading(path(name))
    }
    let child = try ChildProcess(
      start + words, environment: environment,
      streams: [input, options.output ?? .writing("/dev/null"), options.messages ?? .writing("/dev/null")],
      deadline: options.deadline ?? 1_800)
    adopt(child)
    return child
  }
}
