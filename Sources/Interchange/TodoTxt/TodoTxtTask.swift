import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import RecurrenceRules
import SystemFiles

/// The known keys, those in common use first. Fields without a common key have Belfry's own keys, with values in a
/// single word (``PercentCoding``).
enum TodoTxtKey: String, CaseIterable {
  /// The due date: a day, or `2026-12-24T18:30`.
  case due
  /// The period of its repeat: `1w`, `+1m`.
  case period = "rec"
  /// The day before which it is hidden.
  case threshold = "t"
  /// The priority of a task that is done.
  case priority = "pri"
  /// The rule of its repeat, if `rec` cannot express it.
  case rule = "rrule"
  /// The origin of its repeat, with `rrule`: `due` or `done`.
  case origin = "rfrom"
  case uuid
  /// An IANA zone.
  case zone
  /// Whether it rings, `yes` or `no`, if that is not the default.
  case remind
  /// Its lead times: `P1D,PT10M`.
  case alert
  /// The interval at which it rings again.
  case nag
  /// The start of the rule.
  case start = "belfry-start"
  case category = "belfry-category"
  /// The identity that a program gave it.
  case key = "belfry-key"
  case notes = "belfry-notes"
  /// The time of day of its `t:`, if its repeat counts from that.
  case time = "belfry-time"
  /// Its text, as earlier versions wrote it if it contained marks.
  case text = "belfry-text"
  /// A property that another program gave it.
  case property = "belfry-property"

  /// The longest key, in bytes.
  private static let longest = 15

  /// The key with this name.
  init?(_ text: Substring) {
    guard text.utf8.count <= Self.longest else { return nil }
    self.init(rawValue: String(text))
  }
}

/// The fields of a line.
struct TodoTxtTask {
  /// The most alerts, and the most projects, contexts and properties together.
  private static let mostMarks = 20_000

  var isChecked = false
  var priority: Character?
  var completed: CivilDate?
  var created: CivilDate?
  var projects: [String] = []
  var contexts: [String] = []
  var due: WallTime?
  var period: TodoTxtPeriod?
  var threshold: CivilDate?
  var rule: RecurrenceRule?
  var isFromDone = false
  var uuid: UUID?
  var zone = ItemZone.floating
  private var hasZoneWord = false
  var shouldRemind: Bool?
  var alerts: [CalendarDuration] = []
  var nag: CalendarDuration?
  var start: WallTime?
  var time: TimeOfDay?
  var category: String?
  var key: String?
  var notes: String?
  var text: String?
  var otherProperties: [String] = []

  /// Sets the field of a key; false if the word is text, since its value does not fit, or the key is repeated.
  ///
  /// - Throws: a fault for an impossible date.
  mutating func setField(_ key: TodoTxtKey, _ value: Substring, context: ImportContext) throws(EntryFault) -> Bool {
    switch key {
    case .due: return Self.set(&due, try Self.due(value, context.defaultTime))
    case .period: return Self.set(&period, TodoTxtPeriod(value))
    case .threshold:
      guard CivilDate.isDate(value) else { return false }
      guard let day = CivilDate(parsing: value) else { throw EntryFault(reason: "its t:\(value) does not exist") }
      return Self.set(&threshold, day)
    case .priority:
      guard value.utf8.count == 1 else { return false }
      return Self.set(&priority, value.utf8.first.flatMap(TodoTxtPriority.letter))
    case .rule: return Self.set(&rule, try? RecurrenceRule(String(value)))
    case .origin:
      isFromDone = value == "done"
      return value == "done" || value == "due"
    case .uuid: return Self.set(&uuid, UUID(uuidString: String(value)))
    case .zone: return setZone(PercentCoding.decoded(value), context.planner)
    case .remind: return Self.set(&shouldRemind, ["yes": true, "no": false][value])
    case .alert: return try setAlerts(value)
    case .nag: return Self.set(&nag, CalendarDuration(iso8601: String(value)))
    case .start: return Self.set(&start, WallTime(parsing: String(value)))
    case .time: return Self.set(&time, TimeOfDay(parsing: String(value)))
    case .category: return Self.set(&category, PercentCoding.decoded(value))
    case .key: return Self.set(&self.key, PercentCoding.decoded(value))
    case .notes: return Self.set(&notes, PercentCoding.decoded(value))
    case .text: return Self.set(&text, PercentCoding.decoded(value))
    case .property:
      otherProperties.append(PercentCoding.decoded(value))
      try checkMarks()
      return true
    }
  }

  /// The lines for which an item has no field.
  var properties: [String] {
    var lines: [String] = []
    if !contexts.isEmpty { lines.append(ContentLine.texts("CATEGORIES", contexts)) }
    if let priority { lines.append(TodoTxtPriority.line(priority)) }
    lines += projects.dropFirst().map { ContentLine.text("X-TODOTXT-PROJECT", $0) }
    if let threshold { lines.append((countsFromThreshold ? .due : TodoTxtThreshold(threshold, due: due)).line) }
    if due == nil, threshold == nil, let period { lines.append("X-TODOTXT-REC:\(period)") }
    return lines + otherProperties
  }

  /// True if it has no due date and its repeat counts from its threshold.
  var countsFromThreshold: Bool { due == nil && threshold != nil && (period != nil || rule != nil) }

  // The first value counts; a second one is a part of the text.
  private static func set<Value>(_ field: inout Value?, _ value: Value?) -> Bool {
    guard field == nil, let value else { return false }
    field = value
    return true
  }

  // A name with a slash is a zone even if unknown here; one without (EST, Japan) only if it is known.
  private mutating func setZone(_ name: String, _ planner: Planner) -> Bool {
    guard !hasZoneWord else { return false }
    hasZoneWord = true
    if let known = planner.zone(ifKnown: name) {
      zone = .fixed(known.identifier)
    } else if name.utf8.contains(UInt8(ascii: "/")) {
      zone = ItemZone(name)
    }
    return zone != .floating
  }

  private mutating func setAlerts(_ value: Substring) throws(EntryFault) -> Bool {
    guard alerts.isEmpty else { return false }
    var durations: [CalendarDuration] = []
    var rest = value.utf8
    while true {
      let part = rest.prefix { $0 != UInt8(ascii: ",") }
      guard let duration = CalendarDuration(iso8601: String(Substring(part))) else { return false }
      durations.append(duration)
      guard durations.count <= Self.mostMarks else {
        throw EntryFault(reason: "it has more than \(Self.mostMarks) alerts")
      }
      guard part.endIndex < rest.endIndex else { break }
      rest = rest[rest.index(after: part.endIndex)...]
    }
    alerts = durations
    return true
  }

  /// Bounds the memory of an item by its marks.
  ///
  /// - Throws: a fault about too many projects, contexts and properties.
  func checkMarks() throws(EntryFault) {
    guard projects.count + contexts.count + otherProperties.count <= Self.mostMarks else {
      throw EntryFault(reason: "it has more than \(Self.mostMarks) projects, contexts and properties")
    }
  }

  private static func due(_ value: Substring, _ defaultTime: TimeOfDay) throws(EntryFault) -> WallTime {
    if let time = WallTime(parsing: String(value)) { return time }
    if let date = CivilDate(parsing: value) { return WallTime(date: date, time: defaultTime) }
    let isDate = CivilDate.isDate(value.prefix(10))
    throw EntryFault(
      reason:
        "its \(inQuotes("due:\(value)")) is \(isDate ? "a time that does not exist" : "not a date"): write due:2026-12-24"
    )
  }
}

/// Priorities from A to Z as lines: the first nine are those of calendars (RFC 5545, section 3.8.1.9).
enum TodoTxtPriority {
  private static let letters = Array("ABCDEFGHI")

  /// The priority of a byte from A to Z.
  static func letter(_ byte: UInt8) -> Character? {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? Character(UnicodeScalar(byte)) : nil
  }

  static func line(_ letter: Character) -> String {
    letters.firstIndex(of: letter).map { "PRIORITY:\($0 + 1)" } ?? "X-TODOTXT-PRIORITY:\(letter)"
  }

  static func letter(of line: String) -> Character? {
    if let number = ContentLine.text(of: line, named: "PRIORITY").flatMap({ Int($0) }), 1...9 ~= number,
      line == "PRIORITY:\(number)"
    {
      return letters[number - 1]
    }
    guard let text = ContentLine.text(of: line, named: "X-TODOTXT-PRIORITY"), text.utf8.count == 1,
      let letter = text.utf8.first.flatMap(letter), !letters.contains(letter)
    else { return nil }
    return letter
  }
}
