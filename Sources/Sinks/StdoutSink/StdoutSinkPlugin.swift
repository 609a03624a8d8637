import BelfryEngine
import ConfigKeys
import Transport

/// `type: stdout`: a sink that prints.
package enum StdoutSinkPlugin: SinkPlugin {
  private static let format = ConfigKey(
    "format", .choice(StdoutSink.Format.self), default: .text,
    "How a reminder looks: text for people, json (a webhook's body, one a line) for programs.")

  /// The word `stdout` and its keys.
  package static let description = PluginDescription(
    type: "stdout", summary: "prints each reminder on standard output", keys: [format])

  /// Makes the sink; see ``SinkPlugin``.
  package static func makeSink(_ section: ConfigSection, transports: Transports) -> any ReminderSink {
    StdoutSink(format: section.value(format))
  }
}
