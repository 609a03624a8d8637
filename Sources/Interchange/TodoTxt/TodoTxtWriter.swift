import BelfryModel
import CivilTime
import FoundationEssentials
import SystemFiles

/// A writer of todo.txt, one item a line, which ``TodoTxtReader`` reads back. Fields that the format does not have get
/// Belfry's own keys. Times of creation and completion become days.
struct TodoTxtWriter: ExportWriter {
  private let context: ExportContext

  init(context: ExportContext) { self.context = context }

  func start(into output: inout [UInt8]) {}
  func write(_ list: Checklist, into output: inout [UInt8]) {}
  func finish(into output: inout [UInt8]) {}

  func write(_ listing: ItemListing, into output: inout [UInt8]) {
    let item = listing.item
    let properties = Properties(of: item)
    var words = head(item, properties.priority)
    words.append(TodoTxtMarks.protected(item.text))
    words.append("+\(PercentCoding.encoded(listing.listName))")
    words += properties.projects.map { "+\(PercentCoding.encoded($0))" }
    words += (item.tags.names + properties.contexts).map { "@\(PercentCoding.encoded($0))" }
    words += dueWords(item, countsFromThreshold: properties.countsFromThreshold)
    if let threshold = properties.threshold { words.append("t:\(threshold.extendedText)") }
    if let period = properties.period { words.append("rec:\(period)") }
    if item.isChecked, let priority = properties.priority { words.append("pri:\(priority)") }
    words += ringingWords(item, remindsByDefault: item.due != nil && !properties.countsFromThreshold)
    words.append("uuid:\(item.uuid.text)")
    if let category = item.category { words.append(word(.category, category)) }
    if let key = item.key { words.append(word(.key, key)) }
    if let notes = item.notes { words.append(word(.notes, notes)) }
    words += properties.others.map { word(.property, $0) }
    output.append(text: words.joined(separator: " ") + "\n")
  }

  private func head(_ item: Item, _ priority: Character?) -> [String] {
    let created = day(item.createdAt)
    if item.isChecked { return ["x", day(item.checkedAt ?? item.updatedAt), created] }
    return (priority.map { ["(\($0))"] } ?? []) + [created]
  }

  private func day(_ date: Date) -> String {
    context.planner.floatingZone.wallTime(at: date).date.extendedText
  }

  private func dueWords(_ item: Item, countsFromThreshold: Bool) -> [String] {
    guard let due = item.due?.local else { return [] }
    var words: [String] = []
    if !countsFromThreshold {
      words = [due.time == context.defaultTime ? "due:\(due.date.extendedText)" : "due:\(due)"]
    } else if due.time != context.defaultTime {
      words = ["belfry-time:\(due.time)"]
    }
    if case .fixed(let zone) = item.zone { words.append("zone:\(PercentCoding.encoded(zone))") }
    guard let recurrence = item.recurrence else { return words }
    if let period = TodoTxtPeriod(recurrence.rule, origin: recurrence.origin, from: recurrence.start) {
      words.append("rec:\(period)")
    } else {
      words.append("rrule:\(recurrence.rule)")
      if recurrence.origin == .done { words.append("rfrom:done") }
    }
    if recurrence.start != due { words.append("belfry-start:\(recurrence.start)") }
    return words
  }

  private func ringingWords(_ item: Item, remindsByDefault: Bool) -> [String] {
    var words: [String] = []
    if item.shouldRemind != remindsByDefault { words.append("remind:\(item.shouldRemind ? "yes" : "no")") }
    if item.alerts != [.zero] { words.append("alert:\(item.alerts.map(\.iso8601).joined(separator: ","))") }
    if let nag = item.nag { words.append("nag:\(nag.iso8601)") }
    return words
  }

  private func word(_ key: TodoTxtKey, _ value: String) -> String { "\(key.rawValue):\(PercentCoding.encoded(value))" }
}

/// The properties of an item, sorted into the format's fields.
private struct Properties {
  private(set) var priority: Character?
  private(set) var projects: [String] = []
  private(set) var contexts: [String] = []
  private(set) var threshold: CivilDate?
  /// True if the item's due date is its threshold.
  private(set) var countsFromThreshold = false
  private(set) var period: String?
  private(set) var others: [String] = []

  init(of item: Item) {
    priority = item.priority.flatMap { TodoTxtPriority.letter(of: "PRIORITY:\($0.number)") }
    for line in item.properties {
      if priority == nil, let letter = TodoTxtPriority.letter(of: line) {
        priority = letter
      } else if contexts.isEmpty, let names = ContentLine.texts(of: line, named: "CATEGORIES"), Self.areWords(names) {
        contexts = names
      } else if let name = ContentLine.text(of: line, named: "X-TODOTXT-PROJECT"), Self.areWords([name]) {
        projects.append(name)
      } else if threshold == nil, let found = TodoTxtThreshold(line: line), let day = found.day(due: item.due?.local),
        found != .due || item.recurrence != nil
      {
        (threshold, countsFromThreshold) = (day, found == .due)
      } else if period == nil, let text = ContentLine.text(of: line, named: "X-TODOTXT-REC"),
        TodoTxtPeriod(text[...])?.description == text
      {
        period = text
      } else {
        others.append(line)
      }
    }
  }

  private static func areWords(_ names: [String]) -> Bool { names.allSatisfy { !$0.isEmpty } }
}
