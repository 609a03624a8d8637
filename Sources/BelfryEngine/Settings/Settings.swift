import CivilTime

/// What the config says apart from stores and sinks.
public struct Settings: Hashable, Sendable {
  /// The zone that floating items are planned in.
  public enum TimeZone: Hashable, Sendable, CustomStringConvertible {
    /// The machine's.
    case local
    /// The one with this IANA name.
    case named(String)

    /// `local` or the IANA name.
    public var description: String {
      switch self {
      case .local: "local"
      case .named(let identifier): identifier
      }
    }
  }

  /// The list of `add` where none is named.
  public var defaultList = "Inbox"
  /// The time that a bare date means, 09:00.
  public var defaultTime = TimeOfDay(minutesSinceMidnight: 540)
  /// The zone that floating items are planned in.
  public var timeZone = TimeZone.local
  /// What becomes of reminders that passed while nothing was running.
  public var missed = MissedPolicy()
  /// How an alert sounds and what its button says.
  public var alert = AlertStyle()
  /// The categories, in the order of the file.
  public var categories: [Category] = []
  /// Which sinks get what, in the order in which they are tried.
  public var routes: [Route] = []
  /// How long finished deliveries are kept, 30 days.
  public var history = CalendarDuration(days: 30, minutes: 0)
  /// Where the daemon says that it is alive.
  public var heartbeat: Heartbeat?
  /// The file that the daemon writes its metrics to.
  public var metricsFile: String?

  /// The sink that is told when a delivery of another is given up, by the other's name; also of those switched off.
  public var failureTargets: [String: String] = [:]

  /// The settings of an empty config.
  public init() {}

  /// The category with this identifier.
  public func category(_ identifier: String) -> Category? {
    categories.first { $0.identifier == identifier }
  }

  /// The alert style of a category; the general one for none, for one that is not defined, and for what it leaves open.
  public func alert(forCategory identifier: String?) -> AlertStyle {
    let category = identifier.flatMap(category)
    return AlertStyle(sound: category?.sound ?? alert.sound, action: category?.action ?? alert.action)
  }
}

/// What becomes of reminders that passed while nothing was running.
public struct MissedPolicy: Hashable, Sendable {
  /// Which of them ring.
  public enum Policy: String, CaseIterable, Hashable, Sendable {
    /// The latest of each item.
    case once
    /// Every one, oldest first.
    case all
    /// None.
    case skip
  }

  /// Which of them ring.
  public var policy: Policy
  /// Up to how late a reminder is just late and not missed, in seconds.
  public var graceSeconds: Int
  /// Beyond which age none rings.
  public var maxAge: CalendarDuration

  /// A policy; the defaults are those of an empty config.
  public init(
    policy: Policy = .once, graceSeconds: Int = 600, maxAge: CalendarDuration = CalendarDuration(days: 7, minutes: 0)
  ) {
    self.policy = policy
    self.graceSeconds = graceSeconds
    self.maxAge = maxAge
  }
}

/// How an alert sounds and what its button says.
public struct AlertStyle: Hashable, Sendable {
  /// The sound's name.
  public var sound: String
  /// What the button says.
  public var action: String

  /// A style; the defaults are those of an empty config.
  public init(sound: String = "default", action: String = "View list") {
    self.sound = sound
    self.action = action
  }
}
