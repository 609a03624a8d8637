import CivilTime

/// The settings of the config other than its store and sinks.
public struct Settings: Hashable, Sendable {
  /// The zone in which floating items are planned.
  public enum TimeZone: Hashable, Sendable, CustomStringConvertible {
    /// The machine's zone.
    case local
    /// The zone with this IANA name.
    case named(String)

    /// `local` or the IANA name.
    public var description: String {
      switch self {
      case .local: "local"
      case .named(let identifier): identifier
      }
    }
  }

  /// The list of `add` if none is named.
  public var defaultList = "Inbox"
  /// The time of a date without a time, 09:00.
  public var defaultTime = TimeOfDay(minutesSinceMidnight: 540)
  /// The zone in which floating items are planned.
  public var timeZone = TimeZone.local
  /// The policy for reminders that passed while no daemon was running.
  public var missed = MissedPolicy()
  /// The sound, button and urgency of alerts.
  public var alert = AlertStyle()
  /// The actions of items' reminders whose category names none, at most four.
  public var actions = Settings.usualActions
  /// The categories, in the file's order.
  public var categories: [Category] = []
  /// The people, in the file's order.
  public var people: [Person] = []
  /// The escalations that categories and lists name, in the file's order.
  public var escalations: [Escalation] = []
  /// The rules for lists, in the order in which they are tried.
  public var lists: [ListRule] = []
  /// The routes from reminders to sinks, in the order in which they are tried.
  public var routes: [Route] = []
  /// The time for which finished deliveries are kept, 30 days.
  public var history = CalendarDuration(days: 30, minutes: 0)
  /// The validity and keys of links and buttons.
  public var answers = AnswerSettings()
  /// The addresses of the web face.
  public var web = WebSettings()
  /// The heartbeat of the daemon; `nil` for none.
  public var heartbeat: Heartbeat?
  /// The file for the daemon's metrics; `nil` for none.
  public var metricsFile: String?

  /// The sink that gets failure notices, by the name of the failing sink; includes disabled sinks.
  public var failureTargets: [String: String] = [:]
  /// The hours in which nothing is sent, by the name of the sink.
  public var sinkQuietHours: [String: QuietHours] = [:]

  /// The settings of an empty config.
  public init() {}

  package func category(_ identifier: String) -> Category? {
    categories.first { $0.identifier == identifier }
  }
}

/// The policy for reminders that passed while no daemon was running.
public struct MissedPolicy: Hashable, Sendable {
  /// The missed reminders that fire late.
  public enum Policy: String, CaseIterable, Hashable, Sendable {
    /// The latest of each item.
    case once
    /// Every one, oldest first.
    case all
    case skip
  }

  /// The missed reminders that fire late.
  public var policy: Policy
  /// The seconds by which a reminder may be late without counting as missed.
  public var graceSeconds: Int
  /// The age from which a missed reminder never fires.
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
