import BelfryEngine
import BelfryModel
import CivilTime
import ConfigKeys
import OrderedJSON

/// The log of a long-running program: a line on standard error for each event.
package enum ProgramLog {
  /// A log of events from a level up.
  ///
  /// - Parameter program: the program's name, which begins each line of text.
  package static func makeEventLog(
    of program: String, _ format: LogFormat, from level: Event.Level, time: any TimeSource
  ) -> EventLog {
    let logged = Set(Event.Level.allCases.drop { $0 != level })
    return { event in
      guard logged.contains(event.level) else { return }
      switch format {
      case .text: StandardError.write("\(program): \(event.level): \(event.message.visibleLine)")
      case .json:
        let line: JSONValue = [
          "time": .string(Zone.utc.rfc3339(time.now.wholeSeconds)), "level": .string(event.level.rawValue),
          "message": .string(event.message),
        ]
        StandardError.write(TerminalJSON.escaped(line.serialized()))
      }
    }
  }

  /// The events that say why a config cannot be used.
  package static func events(of error: any Error) -> [Event] {
    guard case ConfigurationError.invalid(let file, let diagnostics) = error else { return [Event(.error, "\(error)")] }
    return diagnostics.map { diagnostic in
      Event(diagnostic.severity == .error ? .error : .warning, diagnostic.logLine(file: file))
    }
  }
}
