import BelfryEngine
import BelfryModel
import ConfigKeys
import Foundation
import Transport

/// A sink that adds one line for each reminder to a file.
struct AppendingSink: ReminderSink {
  let path: String

  var recipients: [String?] { [nil] }

  // One at a time, so that lines are in order of fire date.
  var concurrency: Int { 1 }

  func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
    let lines = attempt.message.contents.map { content in
      // A list's own reminder names what is still to do. Once it was answered, there is nothing to do any more.
      let words = content.news(of: content.text).map { [$0] } ?? [content.text] + content.uncheckedTexts
      return "\(attempt.message.id.text)\t\(content.fireDate)\t\(content.listName)\t\(words.joined(separator: ", "))\n"
    }
    guard attempt.maySend() else { return .tooLate }
    // A slow disk blocks only this sink.
    return append(lines.joined())
  }

  private func append(_ text: String) -> DeliveryOutcome {
    guard let file = fopen(path, "a") else {
      // A missing folder may be mounted soon; the engine schedules the retry.
      return .later(reason: "\(path): \(String(cString: strerror(errno)))")
    }
    let isWritten = fputs(text, file) >= 0
    return fclose(file) == 0 && isWritten ? .delivered : .later(reason: "\(path) cannot be written")
  }
}

/// `type: append` in a config.
struct AppendingSinkPlugin: SinkPlugin {
  static let type = "append"
  static let summary = "adds one line for each reminder to a file"
  private let path: String

  init?(_ section: inout ConfigSection) {
    guard let path = section.require("path", .path, "The file; made at the first reminder.") else { return nil }
    self.path = path
  }

  func makeSink(_ transports: Transports) -> any ReminderSink { AppendingSink(path: path) }
}
