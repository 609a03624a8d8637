import BelfryCore
import BelfryPlugins
import Logging
import OrderedJSON

/// The daemon's log: standard error, one line an event. Standard output belongs to the sinks.
enum DaemonLog {
  /// A log that goes through swift-log.
  static func makeEventLog(_ format: LogFormat, from level: LogLevel, time: any TimeSource) -> EventLog {
    LoggingSystem.bootstrap { _ in StderrLogHandler(logLevel: level.level, format: format, time: time) }
    let logger = Logger(label: "belfryd")
    return { event in
      switch event.level {
      case .debug: logger.debug("\(event.message)")
      case .info: logger.info("\(event.message)")
      case .warning: logger.warning("\(event.message)")
      case .error: logger.error("\(event.message)")
      }
    }
  }
}

extension LogLevel {
  fileprivate var level: Logger.Level {
    switch self {
    case .debug: .debug
    case .info: .info
    case .warning: .warning
    case .error: .error
    }
  }
}

private struct StderrLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level
  let format: LogFormat
  let time: any TimeSource

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let message = event.message.description
    switch format {
    case .text: StandardError.write("belfryd: \(event.level): \(message.visibleLine)")
    case .json:
      let line: JSONValue = [
        "time": .string(Zone.utc.rfc3339(time.now.wholeSeconds)), "level": .string("\(event.level)"),
        "message": .string(message),
      ]
      StandardError.write(line.serialized())
    }
  }
}
