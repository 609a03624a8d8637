import BelfryEngine
import BelfryModel
import BelfryTestKit
import Foundation
import OrderedJSON
import StdoutSink
import Synchronization

extension StdoutSinkPlugin: TestedSinkPlugin {
  static var fixtures: [SinkKind] {
    StdoutSink.Format.allCases.map { format in
      SinkKind("stdout \(format.rawValue)") { try StdoutSinkFixture(format: format) }
    }
  }
}

/// A reader of the sink's output from a pipe that holds all of it.
final class StdoutSinkFixture: SinkFixture {
  private struct State {
    var bytes: [UInt8] = []
    var isDisconnected = false
  }

  // F_SETPIPE_SZ, which Swift's Glibc module does not export.
  private static let setPipeSize: Int32 = 1_031

  private let format: StdoutSink.Format
  private let reading: Int32
  let writing: Int32
  private let state = Mutex(State())

  init(format: StdoutSink.Format) throws {
    self.format = format
    var descriptors: [Int32] = [0, 0]
    guard pipe(&descriptors) == 0 else { throw BelfryError(.internalError, "no pipe") }
    (reading, writing) = (descriptors[0], descriptors[1])
    _ = fcntl(writing, Self.setPipeSize, 1_048_576)
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    // As in the programs: a closed reader makes the write fail, and does not end the process.
    signal(SIGPIPE, SIG_IGN)
  }

  deinit {
    close(writing)
    if !state.withLock({ $0.isDisconnected }) { close(reading) }
  }

  func makeSink() -> any ReminderSink { StdoutSink(format: format, descriptor: writing) }

  func received() throws -> [ReceivedMessage] {
    try lines().map { line in
      switch format {
      case .text: return ReceivedMessage(identity: nil, text: line, whole: line)
      case .json:
        let data = try JSONValue(parsing: Array(line.utf8))["data"]
        let unchecked = data?["list"]?["unchecked"]?.arrayValue?.compactMap { $0["text"]?.stringValue } ?? []
        let alert = ["title", "body"].compactMap { data?["alert"]?[$0]?.stringValue }
        return ReceivedMessage(
          identity: data?["update"]?["message_id"]?.stringValue ?? data?["reminder_id"]?.stringValue,
          text: (alert + unchecked + [data?["update"]?["words"]?.stringValue].compactMap(\.self))
            .joined(separator: " "), whole: line)
      }
    }
  }

  /// The lines printed so far; fails where the last one is incomplete.
  func lines() throws -> [String] {
    let text = String(decoding: read(), as: UTF8.self)
    try Check.that(text.isEmpty || text.utf8.last == UInt8(ascii: "\n"), "the last line has no end: \(text)")
    return text.utf8.split(separator: UInt8(ascii: "\n")).map { String($0) ?? "" }
  }

  func disconnect() {
    state.withLock { state in
      if !state.isDisconnected { close(reading) }
      state.isDisconnected = true
    }
  }

  private func read() -> [UInt8] {
    state.withLock { state in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while !state.isDisconnected {
        let count = Foundation.read(reading, &buffer, buffer.count)
        guard count > 0 else { break }
        state.bytes += buffer[..<count]
      }
      return state.bytes
    }
  }
}
