import BelfryCore
import Foundation
import RecurrenceRules

/// What the tests of the time room share.
enum TimeTesting {
  /// Random numbers that are the same at each run (SplitMix64).
  struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
      return mixed ^ (mixed >> 31)
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The machine's zones, without its settings.
  static let database = ZoneDatabase(environment: [:])

  /// A wall time from its text, or a failure of the test.
  static func wall(_ text: String) throws -> WallTime {
    guard let wall = WallTime(parsing: text) else { throw Failure(description: "\(text) is no wall time") }
    return wall
  }

  /// An instant from RFC 3339, or a failure of the test.
  static func instant(_ text: String) throws -> Date {
    guard let instant = parseRFC3339(text) else { throw Failure(description: "\(text) is not RFC 3339") }
    return instant
  }

  /// What a Python program prints.
  static func python(_ program: String, _ arguments: [String] = []) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", program] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["PYTHONTZPATH": "/usr/share/zoneinfo"], uniquingKeysWith: { $1 })
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(description: "python3 failed") }
    return String(decoding: output, as: UTF8.self)
  }

  /// Calls `body` with a folder that is removed afterwards.
  static func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-time-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.path)
  }
}
