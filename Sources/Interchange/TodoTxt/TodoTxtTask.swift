import BelfryCore
import FoundationEssentials
import RecurrenceRules

/// The keys that mean something here, those of the format's users first. What no other program has a word for is written
/// under keys of Belfry's own, in a single word each (``PercentCoding``).
enum TodoTxtKey: String, CaseIterable {
  /// When it is due: a day, or `2026-12-24T18:30`.
  case due
  /// How it repeats: `1w`, `+1m`.
  case period = "rec"
  /// The day before which nobody wants to see it.
  case threshold = "t"
  /// The priority of a task that is done.
  case priority = "pri"
  /// How it repeats, where `rec` has no word for it.
  case rule = "rrule"
  /// What it repeats from: `due` or `done`; together with `rrule`.
  case origin = "rfrom"
  /// Its identity.
  case uuid
  /// An IANA zone.
  case zone
  /// Whether it rings, where that is not as usual: `yes` or `no`.
  case remind
  /// How long before it rings, one duration beside the other: `P1D,PT10M`.
  case alert
  /// How often it rings again.
  case nag
  /// What the rule counts from.
  case start = "belfry-start"
  /// Its category.
  case category = "belfry-category"
  /// Its notes.
  case notes = "belfry-notes"
  /// Its text, where that could be taken for marks.
  case text = "belfry-text"
  /// A line of what other programs say of it.
  case property = "belfry-property"

  /// The longest key, in bytes.
  private static let longest = 15

  /// The key that a word begins with.
  init?(_ text: Substring) {
    guard text.utf8.count <= Self.longest else { return nil }
    self.init(rawValue: String(text))
  }
}

/// What a line says.
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
  var threshold: String?
  var rule: RecurrenceRule?
  var isFromDone = false
  var uuid: UUID?
  var zone = ItemZone.floating
  private var hasZoneWord = false
  var shouldRemind: Bool?
  var alerts: [CalendarDuration] = []
  var nag: CalendarDuration?
  var start: WallTime?
  var category: String?
  var notes: String?
  var text: String?
  var otherProperties: [String] = []

  /// Takes a key with its value; whether it is one of ours after all, and not for the first time.
  ///
  /// - Throws: a fault for a value of the format's own keys that cannot be.
  mutating func take(_ key: TodoTxtKey, _ value: Substring, context: ImportContext) throws(EntryFault) -> Bool {
    switch key {
    case .due: return Self.set(&due, try Self.due(value, context.defaultTime))
    case .period: return Self.set(&period, TodoTxtPeriod(value))
    case .threshold:
      guard CivilDate.isDate(value) else { return false }
      guard CivilDate(parsing: value) != nil else { throw EntryFault(reason: "its t:\(value) is a day that is not") }
      return Self.set(&threshold, String(value))
    case .priority:
      guard value.utf8.count == 1 else { return false }
      return Self.set(&priority, value.utf8.first.flatMap(TodoTxtPriority.letter))
    case .rule: return Self.set(&rule, try? RecurrenceRule(String(value)))
    case .origin:
      isFromDone = value == "done"
      return value == "done" || value == "due"
    case .uuid: return Self.set(&uuid, UUID(uuidString: String(value)))
    case .zone: return takeZone(PercentCoding.decoded(value), context.planner)
    case .remind: return Self.set(&shouldRemind, ["yes": true, "no": false][value])
    case .alert: return try takeAlerts(value)
    case .nag: return Self.set(&nag, CalendarDuration(iso8601: String(value)))
    case .start: return Self.set(&start, WallTime(parsing: String(value)))
    case .category: return Self.set(&category, PercentCoding.decoded(value))
    case .notes: return Self.set(&notes, PercentCoding.decoded(value))
    case .text: return Self.set(&text, PercentCoding.decoded(value))
    case .property:
      otherProperties.append(PercentCoding.decoded(value))
      try checkMarks()
      return true
    }
  }

  /// What there is no field for.
  var properties: [String] {
    var lines: [String] = []
    if !contexts.isEmpty { lines.append(ContentLine.texts("CATEGORIES", contexts)) }
    if let priority { lines.append(TodoTxtPriority.line(priority)) }
    lines += projects.dropFirst().map { ContentLine.text("X-TODOTXT-PROJECT", $0) }
    if let threshold { lines.append("X-TODOTXT-T:\(threshold)") }
    if due == nil, let period { lines.append("X-TODOTXT-REC:\(period)") }
    return lines + otherProperties
  }

  // The first one counts; another one is a part of the text.
  private static func set<Value>(_ field: inout Value?, _ value: Value?) -> Bool {
    guard field == nil, let value else { return false }
    field = value
    return true
  }

  // Some zones have no slash in their names (EST, Japan), and no other word is a name with one: that has to be known.
  private mutating func takeZone(_ name: String, _ planner: Planner) -> Bool {
    guard !hasZoneWord else { return false }
    hasZoneWord = true
    if let known = planner.zone(ifKnown: name) {
      zone = .fixed(known.identifier)
    } else if name.utf8.contains(UInt8(ascii: "/")) {
      zone = ItemZone(name)
    }
    return zone != .floating
  }

  private mutating func takeAlerts(_ value: Substring) throws(EntryFault) -> Bool {
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

  /// Sees to it that an item does not become much larger than its line.
  ///
  /// - Throws: a fault about more projects, contexts and properties than an item can have.
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
      reason: "its due:\(Place.shown(value)) is \(isDate ? "a time that is not" : "no date"): write due:2026-12-24")
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
