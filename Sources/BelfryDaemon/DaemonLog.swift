import BelfryCore
import BelfryPlugins
import Logging

/// The daemon's log: standard error, one line an event.
enum DaemonLog {
  /// A log that goes through swift-log.
  static func makeEventLog() -> EventLog {
    LoggingSystem.bootstrap { _ in StderrLogHandler() }
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

/// `belfryd: error: the message`, without a time: systemd and terminals add their own.
private struct StderrLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    StandardError.write("belfryd: \(event.level): \(event.message)")
  }
}
