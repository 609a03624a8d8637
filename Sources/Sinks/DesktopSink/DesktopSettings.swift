/// The settings of a ``DesktopSink``.
package struct DesktopSettings: Sendable {
  /// The urgency of reminders, on which a server bases how long and how they are shown.
  package enum Urgency: String, CaseIterable, Sendable {
    case low, normal, critical

    /// The number of the level in the specification.
    var level: UInt8 {
      switch self {
      case .low: 0
      case .normal: 1
      case .critical: 2
      }
    }
  }

  /// The `sound` of a config that names none: the server's choice.
  static let usualSound = "default"

  package var urgency = Urgency.normal
  /// The name or path of an icon.
  package var icon = "appointment-soon"
  /// The seconds for which it is shown; `nil` for the server's choice.
  package var shownFor: Int?

  /// The settings of a section without keys.
  package init() {}
}
