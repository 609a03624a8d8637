import ArgumentParser
import BelfryEngine
import BelfryModel
import CivilTime
import OrderedJSON

struct People: ParsableCommand {
  static let configuration = CommandConfiguration(
    topLevel: "people", abstract: "Show the people of the config, and what reaches them.",
    discussion: """
      belfry people
      belfry people --json
      belfry config route -l Family --escalation     who is asked, and when
      """)

  @OptionGroup var options: DataOptions

  func run() throws {
    let session = try Session(options)
    let viewpoint = try session.belfry.hindsight()
    let people = session.settings.people.map { PersonState($0, session.assembly.configuration.sinks, viewpoint) }
    if options.json { return try session.console.print(.array(people.map(\.json))) }
    guard !people.isEmpty else { return session.console.report("The config names no people.") }
    let style = session.console.style
    var table = Table(
      [
        .init(title: "Person", isSubject: true), .init(title: "Sinks", isFlexible: true),
        .init(title: "Address", isFlexible: true), .init(title: "State", isFlexible: true),
      ], wraps: true)
    for person in people {
      table.append([
        Table.Cell(person.name), Table.Cell(person.sinks), Table.Cell(person.address, style.dim),
        Table.Cell(person.words, person.isReachable ? nil : style.yellow),
      ])
    }
    try session.console.print(table)
  }
}

/// A person with the sinks that reach them, and when.
private struct PersonState {
  private let person: Person
  private let sections: [SinkSection]
  private let zone: Zone
  private let absence: Absence?
  private let isAway: Bool

  init(_ person: Person, _ sections: [SinkSection], _ viewpoint: some Viewpoint) {
    self.person = person
    self.sections = person.sinks.compactMap { name in sections.first { $0.name == name } }
    zone = viewpoint.planner.floatingZone
    absence = person.absence(endingAfter: viewpoint.now, in: zone)
    isAway = person.isAway(at: viewpoint.now, in: zone)
  }

  var name: String { person.name }

  /// The sinks with their types.
  var sinks: String {
    sections.map { "\($0.name) (\($0.type)\($0.isEnabled ? "" : ", off"))" }.joined(separator: ", ")
  }

  var address: String { person.address ?? "" }

  /// True if a sink would reach the person now, apart from quiet hours.
  var isReachable: Bool { !isAway && sections.contains(where: \.isEnabled) }

  /// The state on one line: the present or next absence, and the quiet hours.
  var words: String {
    var words: [String] = []
    if !sections.contains(where: \.isEnabled) { words.append("no sink is enabled") }
    if let (first, last) = absence?.bounds {
      words.append(isAway ? "away until \(last)" : "away from \(first) until \(last)")
    }
    if let quiet = person.quietHours { words.append("quiet \(quiet.words)") }
    return words.isEmpty ? "reachable" : words.joined(separator: "; ")
  }

  /// The state as `--json` shows it.
  var json: JSONValue {
    let sinks = sections.map { section in
      ["name": .string(section.name), "type": .string(section.type), "enabled": .bool(section.isEnabled)] as JSONValue
    }
    let quiet = person.quietHours.map { hours in
      [
        "from": .string(hours.from.description), "to": .string(hours.to.description),
        "except": hours.except.map { .string($0.rawValue) } ?? .null,
      ] as JSONValue
    }
    let away = absence.map { absence in
      [
        "now": .bool(isAway), "from": .string(zone.rfc3339(zone.instant(of: absence.from).instant)),
        "until": .string(zone.rfc3339(zone.instant(of: absence.until).instant)),
      ] as JSONValue
    }
    return [
      "name": .string(name), "sinks": .array(sinks), "address": person.address.map { .string($0) } ?? .null,
      "quiet_hours": quiet ?? .null, "away": away ?? .null,
    ]
  }
}

extension Absence {
  /// The first and the last day, or minute, as in the config.
  fileprivate var bounds: (first: String, last: String) {
    let midnight = TimeOfDay(minutesSinceMidnight: 0)
    let last = until.time == midnight ? Self.day(until.adding(days: -1)) : Self.minute(until)
    return (from.time == midnight ? Self.day(from) : Self.minute(from), last)
  }

  private static func day(_ time: WallTime) -> String { String(time.description.prefix(10)) }

  private static func minute(_ time: WallTime) -> String { "\(day(time)) \(time.time)" }
}
