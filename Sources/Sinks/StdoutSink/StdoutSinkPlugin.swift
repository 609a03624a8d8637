import BelfryEngine
import ConfigKeys
import Transport

/// `type: stdout`: a sink that prints.
public struct StdoutSinkPlugin: SinkPlugin {
  /// The word `stdout`.
  public static let type = "stdout"
  /// A line about it.
  public static let summary = "prints each reminder on standard output"
  private var format = StdoutSink.Format.text

  /// Reads its keys; see ``SinkPlugin``.
  public init(_ section: inout ConfigSection) {
    section.read(
      "format", &format, .choice,
      "How a reminder looks: text for people, json (a webhook's body, one a line) for programs.")
  }

  /// Makes the sink; see ``SinkPlugin``.
  public func makeSink(_ transports: Transports) -> any ReminderSink { StdoutSink(format: format) }
}
