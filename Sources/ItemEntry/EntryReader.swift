import BelfryEngine
import BelfryModel
import CivilTime
import ConfigKeys
import FoundationEssentials
import NaturalDates
import RecurrenceRules

/// Reads the words that people write for the fields of an item, in commands, forms and requests.
package struct EntryReader {
  /// The state, and the time from which words such as `tomorrow` count.
  let reading: Reading
  let settings: Settings
  private let zones: ZoneDatabase
  /// The name of a field in messages.
  let name: (ItemField) -> String

  /// A reader for one state of the store.
  ///
  /// - Parameter name: the name of a field in messages, such as `--due`.
  package init(
    reading: Reading, settings: Settings, zones: ZoneDatabase,
    name: @escaping (ItemField) -> String = { $0.rawValue }
  ) {
    self.reading = reading
    self.settings = settings
    self.zones = zones
    self.name = name
  }

  /// The time of a WHEN on the clock of an item's zone.
  ///
  /// - Parameter called: the name of the WHEN in messages; by default that of the due date.
  /// - Throws: ``BelfryError`` `.usage` with the part that was understood.
  package func when(_ text: String, in zone: ItemZone = .floating, called: String? = nil) throws -> When {
    let parser = try parser(in: reading.planner.zone(zone))
    return try usage(called ?? name(.due)) { () throws(WhenError) in try parser.parse(text) }
  }

  /// The time of a WHEN other than `none`.
  ///
  /// - Throws: as ``when(_:in:called:)``.
  package func wallTime(_ text: String, in zone: ItemZone = .floating, called: String? = nil) throws -> WallTime {
    guard case .at(let time) = try when(text, in: zone, called: called) else {
      throw BelfryError(.usage, "\(called ?? name(.due)): 'none' is not allowed here", hint: "name a day or a time")
    }
    return time
  }

  /// The instant of a WHEN other than `none` on the clock of floating items.
  ///
  /// - Throws: as ``when(_:in:called:)``.
  package func instant(_ text: String, called: String) throws -> Date {
    let parser = parser(in: reading.planner.floatingZone)
    return try usage(called) { () throws(WhenError) in
      guard let instant = try parser.parseInstant(text) else { throw WhenError(message: "'none' is not allowed here") }
      return instant.date
    }
  }

  /// A duration.
  ///
  /// - Throws: ``BelfryError`` `.usage`.
  package func duration(_ text: String, called: String, allowsZero: Bool = false) throws -> CalendarDuration {
    try usage(called) { () throws(WhenError) in try CalendarDuration(parsing: text, allowsZero: allowsZero) }
  }

  /// A repeat rule in words or as an RRULE.
  ///
  /// - Throws: ``BelfryError`` `.usage` with the part that was understood.
  package func rule(_ text: String) throws -> RecurrenceRule {
    guard !text.allSatisfy(\.isWhitespace) else {
      throw BelfryError(.usage, "\(name(.repeat)): the repeat is empty", hint: "for example daily or 'every 2 weeks'")
    }
    do throws(RecurrenceRuleError) {
      return try RecurrenceRule(textOrWords: text)
    } catch {
      throw BelfryError(
        .usage, "\(name(.repeat)) '\(text)': \(error)",
        hint: "for example daily, 'every 2 weeks', or FREQ=MONTHLY;BYMONTHDAY=1")
    }
  }

  /// A zone, with its spelling corrected.
  ///
  /// - Throws: ``BelfryError`` `.usage` with the nearest names.
  package func zone(_ text: String) throws -> ItemZone {
    guard case .fixed(let identifier) = ItemZone(text) else { return .floating }
    do {
      return .fixed(try zones.zone(identifier).identifier)
    } catch {
      let unknown = BelfryError(error)
      throw BelfryError(.usage, "\(name(.timeZone)): \(unknown.message)", hint: unknown.hint)
    }
  }

  /// A category of the config, or an empty name.
  ///
  /// - Throws: ``BelfryError`` `.notFound` with the nearest name.
  package func category(_ identifier: String) throws -> String {
    let known = settings.categories.map(\.identifier)
    guard !identifier.isEmpty, !known.contains(identifier) else { return identifier }
    let hint =
      Suggestion.nearest(to: identifier, among: known).map { "did you mean '\($0)'?" }
      ?? "categories are declared in the config"
    throw BelfryError(.notFound, "there is no category '\(identifier)'", hint: hint)
  }

  /// A parser of WHENs on a zone's clock.
  func parser(in zone: Zone) -> WhenParser {
    WhenParser(now: reading.now, zone: zone, defaultTime: settings.defaultTime)
  }

  private func usage<Value>(_ name: String, _ parse: () throws(WhenError) -> Value) throws -> Value {
    do { return try parse() } catch { throw BelfryError(.usage, "\(name): \(error.message)") }
  }
}

extension Settings {
  /// The list with a name, or the default list, which is created without asking.
  package func listChoice(_ name: String?, createsMissing: Bool = false) -> ListChoice {
    guard let name else { return ListChoice(defaultList, createsMissing: true) }
    let isDefault = Checklist.nameKey(name) == Checklist.nameKey(defaultList)
    return ListChoice(name, createsMissing: createsMissing || isDefault)
  }
}
