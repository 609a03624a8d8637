import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import Glibc
import OrderedJSON
import SystemFiles

/// A sink that prints each reminder on standard output, one line for each message.
package final class StdoutSink: ReminderSink {
  /// The format of a line.
  package enum Format: String, CaseIterable, Sendable {
    /// For people: `2026-11-21 09:00  Buy milk  (Groceries)`.
    case text
    /// For programs: the same JSON as the body of a webhook.
    case json
  }

  private let format: Format
  private let descriptor: Int32

  /// A sink that writes to a descriptor; tests use another than standard output.
  package init(format: Format, descriptor: Int32 = STDOUT_FILENO) {
    self.format = format
    self.descriptor = descriptor
  }

  /// A single recipient without a name.
  package var recipients: [String?] { [nil] }

  /// Sixteen, so that outcomes are recorded together. Lines stay in order all the same, since an attempt never suspends
  /// and all attempts run on the sink's thread.
  package var concurrency: Int { 16 }

  /// Prints one line, and waits while the reader is slow; see ``ReminderSink``.
  package func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
    let line = line(attempt)
    return attempt.maySend() ? Self.write(line, to: descriptor) : .tooLate
  }

  private func line(_ attempt: DeliveryAttempt) -> [UInt8] {
    var bytes: [UInt8] = []
    switch format {
    case .json:
      attempt.writeBody(into: &bytes)
      bytes = TerminalJSON.escaped(bytes)
      bytes.append(UInt8(ascii: "\n"))
    case .text:
      for content in attempt.message.contents {
        bytes.append(contentsOf: Self.text(content, lateSeconds: attempt.lateSeconds).visibleLine.utf8)
        bytes.append(UInt8(ascii: "\n"))
      }
    }
    return bytes
  }

  private static func text(_ content: ReminderContent, lateSeconds: Int) -> String {
    let wallTime = content.fireDate.wallTime.description
    let moment = "\(wallTime.prefix(10)) \(wallTime.suffix(5))"
    if let news = content.news(of: content.text) { return "\(moment)  \(news)  (\(content.listName))" }
    let late = lateSeconds < 60 ? "" : "  late by \(RelativeTime.span(TimeInterval(lateSeconds)))"
    let unchecked = content.uncheckedTexts.isEmpty ? "" : ": " + content.uncheckedTexts.joined(separator: ", ")
    let escalation = content.escalationSentence.map { "  \($0)" } ?? ""
    let failure = content.failure.map { "  \($0.words)" } ?? (content.isTest ? "  a test" : "")
    return "\(moment)  \(content.text)\(unchecked)  (\(content.listName))\(late)\(escalation)\(failure)"
  }

  // A line counts as delivered with its last byte; after an error the whole line is printed again.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> DeliveryOutcome {
    do throws(SystemCallFailure) {
      try OpenFile.write(bytes, to: descriptor) { code throws(SystemCallFailure) in
        guard code == EAGAIN || code == EINTR else { throw SystemCallFailure(code: code) }
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if code == EAGAIN { poll(&ready, 1, -1) }
      }
      return .delivered
    } catch {
      return .later(reason: "standard output: \(String(cString: strerror(error.code)))")
    }
  }
}
