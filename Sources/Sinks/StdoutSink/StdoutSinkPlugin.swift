import BelfryEngine
import ConfigKeys
import Transport

/// `type: stdout`: a sink that prints.
package struct StdoutSinkPlugin: SinkPlugin {
  package static let type = "stdout"
  /// A summary on one line.
  package static let summary = "prints each reminder on standard output"
  /// False, since it writes to the program's own output.
  package static let connects = false
  /// True, since it is the output of one program.
  package static let isOnMachine = true
  private var format = StdoutSink.Format.text

  /// Reads its keys; see ``SinkPlugin``.
  package init(_ section: inout ConfigSection) {
    section.read(
      "format", &format, .choice,
      "The format: text for people, json (the body of a webhook, one a line) for programs.")
  }

  /// Makes the sink; see ``SinkPlugin``.
  package func makeSink(_ transports: Transports) -> any ReminderSink { StdoutSink(format: format) }
}
