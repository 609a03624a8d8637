import BelfryModel

/// The settings of a ``DesktopSink``.
package struct DesktopSettings: Sendable {
  /// The urgency of a notification, on which a server bases how long and how it is shown.
  package enum Urgency: String, CaseIterable, Sendable {
    case low, normal, critical

    /// Converts the urgency of a message. High becomes normal, and such a message is shown until it is closed.
    init(_ urgency: BelfryModel.Urgency) {
      self =
        switch urgency {
        case .low: .low
        case .normal, .high: .normal
        case .critical: .critical
        }
    }

    /// The number of the level in the specification.
    var level: UInt8 {
      switch self {
      case .low: 0
      case .normal: 1
      case .critical: 2
      }
    }
  }

  /// The urgency of all notifications; `nil` to use that of each alert.
  package var urgency: Urgency?
  /// The name or path of an icon.
  package var icon = "appointment-soon"
  /// The seconds for which it is shown; `nil` for the server's choice.
  package var shownFor: Int?

  /// The settings of a section without keys.
  package init() {}
}
