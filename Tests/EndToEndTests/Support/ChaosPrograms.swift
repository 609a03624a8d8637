import BelfryTestKit
import Foundation
import Testing

/// A daemon and a web face, of which one at a time is killed and started again.
actor ChaosPrograms {
  private let box: Sandbox
  private var daemon: ChildProcess
  private var starts = 1
  private var random: SeededGenerator
  /// The web face that runs, or that was killed last.
  private(set) var face: RunningWebFace
  private(set) var kills = (daemon: 0, face: 0)

  init(_ box: Sandbox, seed: UInt64) async throws {
    self.box = box
    random = SeededGenerator(seed: seed)
    daemon = try Self.startDaemon(box, 1)
    face = try await box.webFace()
  }

  /// Kills one of them after a while.
  func killOne() async throws {
    try await Task.sleep(for: .milliseconds(Int.random(in: 100...1_000, using: &random)))
    if Bool.random(using: &random) {
      #expect(face.process.isRunning, "it ended by itself: \(face.log)")
      face.process.send(SIGKILL)
      #expect(await face.process.end == .signalled(SIGKILL))
      kills.face += 1
      face = try await box.webFace()
    } else {
      #expect(daemon.isRunning, "it ended by itself: \(log)")
      daemon.send(SIGKILL)
      #expect(await daemon.end == .signalled(SIGKILL))
      kills.daemon += 1
      starts += 1
      daemon = try Self.startDaemon(box, starts)
      // Otherwise the next kill often precedes any work.
      if Int.random(in: 0..<4, using: &random) > 0 { try await Self.waitForStart(daemon, box, starts) }
    }
  }

  /// Ends both in order, once the daemon has begun: SIGTERM would end a program that has not.
  func stop() async throws {
    try await Self.waitForStart(daemon, box, starts)
    #expect(await face.stop() == .exited(0), "\(face.log)")
    daemon.send(SIGTERM)
    #expect(await daemon.end == .exited(0), "\(log)")
  }

  private var log: String { Self.log(box, starts) }

  private static func log(_ box: Sandbox, _ number: Int) -> String { box.text("log.\(number)") }

  private static func waitForStart(_ daemon: ChildProcess, _ box: Sandbox, _ number: Int) async throws {
    try await waitUntil("the daemon starts: \(log(box, number))") {
      log(box, number).contains("started") || !daemon.isRunning
    }
  }

  private static func startDaemon(_ box: Sandbox, _ number: Int) throws -> ChildProcess {
    try box.start(
      bytes: [Array(try Programs.belfryd.utf8)],
      RunOptions(messages: .writing(box.path("log.\(number)")), deadline: 7_200))
  }
}
