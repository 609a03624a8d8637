import CivilTime
import FoundationEssentials

/// A person whom reminders reach, by a name of the config.
public struct Person: Hashable, Sendable {
  /// The name, which no sink has.
  public let name: String
  /// The names of the sinks that reach the person, at least one.
  public let sinks: [String]
  /// The mail address for sinks that mail, without a name; `nil` for the sinks' own recipients.
  public let address: String?
  /// The hours of each day in which the person gets nothing; messages are held until they end.
  public let quietHours: QuietHours?
  /// The times in which nothing is sent to the person, in the config's order.
  public let away: [Absence]

  package init(
    name: String, sinks: [String], address: String? = nil, quietHours: QuietHours? = nil, away: [Absence] = []
  ) {
    self.name = name
    self.sinks = sinks
    self.address = address
    self.quietHours = quietHours
    self.away = away
  }

  /// True if the person is away at an instant.
  ///
  /// - Parameter zone: the zone of floating items.
  public func isAway(at instant: Date, in zone: Zone) -> Bool {
    away.contains { $0.contains(instant, in: zone) }
  }

  /// The absence at an instant, or else the next one; `nil` if none is left.
  ///
  /// - Parameter zone: the zone of floating items.
  public func absence(endingAfter instant: Date, in zone: Zone) -> Absence? {
    away.filter { zone.instant(of: $0.until).instant > instant }.min { $0.from < $1.from }
  }
}

/// A time in which a person is away, on the wall clock of floating items.
public struct Absence: Hashable, Sendable {
  /// The first minute of the absence.
  public let from: WallTime
  /// The minute after the last.
  public let until: WallTime

  /// An absence; `nil` if it would be empty.
  package init?(from: WallTime, until: WallTime) {
    guard from < until else { return nil }
    self.from = from
    self.until = until
  }

  /// True if an instant is in the absence.
  public func contains(_ instant: Date, in zone: Zone) -> Bool {
    instant >= zone.instant(of: from).instant && instant < zone.instant(of: until).instant
  }
}

extension Settings {
  /// The person with a name; `nil` if the config has none of that name.
  public func person(_ name: String) -> Person? { people.first { $0.name == name } }

  /// The addresses of the people whom a sink reaches.
  public func addresses(throughSink name: String) -> Set<String> {
    Set(people.filter { $0.sinks.contains(name) }.compactMap(\.address))
  }

  /// The one person whom a sink reaches, by the sink's name; sinks that reach several people, or none, are missing.
  public var peopleBySink: [String: Person] {
    let reached = people.flatMap { person in person.sinks.map { (sink: $0, person: person) } }
    return Dictionary(grouping: reached, by: \.sink).compactMapValues { $0.count == 1 ? $0.first?.person : nil }
  }
}
