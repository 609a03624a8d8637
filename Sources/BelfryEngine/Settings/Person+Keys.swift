import CivilTime
import ConfigKeys
import Transport

/// The section of a person, with the positions of names that are checked once all sinks are known.
struct PersonDraft: NamedDraft {
  var name = ""
  private(set) var sinks: [Located<String>] = []
  private var address: String?
  private var quietHours: QuietHours?
  private var away: [Absence] = []

  static let configType = ConfigType<PersonDraft>.section { section in
    var draft = PersonDraft()
    let sinks = section.require(
      "sinks", .located(.list(of: .located(.line))), "The names of the sinks that reach the person.")
    section.read(
      "address", &draft.address, .address, "The mail address, for sinks of type email; without it, the sink's `to`.")
    section.read(
      "quiet_hours", &draft.quietHours, QuietHours.configType,
      "The hours in which nothing is sent to the person; reminders that fire then are held.")
    section.read(
      "away", &draft.away, .list(of: Absence.configType), "The times in which nothing is sent to the person.")
    guard let sinks else { return nil }
    draft.sinks = sinks.value
    // Invalid elements are left out of the list, so it may only seem empty.
    if section.elements(under: "sinks").isEmpty {
      section.error("nothing reaches a person without a sink: name at least one", at: sinks.position)
    }
    section.reportRepeated(sinks.value)
    return draft
  }

  var person: Person {
    Person(name: name, sinks: sinks.map(\.value), address: address, quietHours: quietHours, away: away)
  }
}

extension ConfigSection {
  /// Reports names that a list has more than once.
  mutating func reportRepeated(_ names: [Located<String>]) {
    var seen: Set<String> = []
    for name in names where !seen.insert(name.value).inserted {
      error("\(inQuotes(name.value)) is named twice", at: name.position)
    }
  }
}

extension Absence {
  /// An element of `away`.
  static let configType = ConfigType<Absence>.section { section in
    let from = section.require("from", .day, "The first day, or the minute at which the absence begins.")
    let until = section.require("until", .located(.day), "The last day, or the minute at which the absence ends.")
    guard let from, let until else { return nil }
    guard let absence = Absence(from: from.start, until: until.value.end) else {
      section.error("the absence ends before it begins", at: until.position)
      return nil
    }
    return absence
  }
}

/// A day or a minute on the wall clock, as a span of time.
struct DaySpan: Sendable {
  let start: WallTime
  /// The minute after a day, or the minute itself.
  let end: WallTime
}

extension ConfigType where Value == DaySpan {
  /// A day, or a minute of one.
  fileprivate static var day: ConfigType {
    textual(.day, write: { _ in nil }) { text, _ in
      let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      let time = parts.count == 2 ? parts[1] : "00:00"
      guard let start = WallTime(parsing: "\(parts[0])T\(time)") else { return nil }
      return DaySpan(start: start, end: parts.count == 2 ? start : start.adding(days: 1))
    }
  }
}

extension ConfigType where Value == String {
  /// A mail address without a name, in ASCII.
  fileprivate static var address: ConfigType {
    textual(.line, write: ConfigText.write) { text, _ throws(ConfigProblem) in
      let mailbox = try Mailbox(text)
      guard mailbox.name == nil else { throw ConfigProblem("expected an address alone, without a name") }
      return mailbox.address
    }
  }
}
