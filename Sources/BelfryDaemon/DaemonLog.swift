import BelfryEngine
import BelfryPlugins
import CivilTime
import OrderedJSON

/// The daemon's log: a line on standard error for each event. Standard output is for the sinks.
enum DaemonLog {
  /// A log of events from a level up.
  static func makeEventLog(_ format: LogFormat, from level: Event.Level, time: any TimeSource) -> EventLog {
    let logged = Set(Event.Level.allCases.drop { $0 != level })
    return { event in
      guard logged.contains(event.level) else { return }
      switch format {
      case .text: StandardError.write("belfryd: \(event.level): \(event.message.visibleLine)")
      case .json:
        let line: JSONValue = [
          "time": .string(Zone.utc.rfc3339(time.now.wholeSeconds)), "level": .string(event.level.rawValue),
          "message": .string(event.message),
        ]
        StandardError.write(TerminalJSON.escaped(line.serialized()))
      }
    }
  }
}
