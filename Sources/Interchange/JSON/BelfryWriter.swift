import BelfryModel
import FoundationEssentials

/// A writer of Belfry's own JSON: a JSON store without reminders and deliveries, which can also be opened as one. It
/// keeps the numbers of people. A snoozed item has the time of its snooze.
struct BelfryWriter: ExportWriter {
  private let head: StoreHead
  private let snoozes: [ReminderOwner: Reminder]
  private let json = JSONRecordOutput()
  private var section = StoreHead.Field.lists
  private var isEmpty = true

  /// A writer.
  ///
  /// - Parameter snoozes: the scheduled snoozes.
  init(context: ExportContext, snoozes: [Reminder]) {
    var counters = context.counters
    counters.plannedZone = counters.plannedZone ?? context.planner.floatingZone.identifier
    head = StoreHead(counters, people: context.people)
    self.snoozes = snoozes.byOwner
  }

  func start(into output: inout [UInt8]) throws {
    try json.openStore(head)
    json.openSection(section.key)
    output += json.take()
  }

  mutating func write(_ list: Checklist, into output: inout [UInt8]) throws {
    let record = ListRecord(list, snoozedUntil: snoozes[.list(list.id)]?.fireDate.date)
    try write(record, "list \(list.id)", into: &output)
  }

  mutating func write(_ listing: ItemListing, into output: inout [UInt8]) throws {
    go(to: .items)
    let item = listing.item
    let record = ItemRecord(item, list: listing.listName, snoozedUntil: snoozes[.item(item.id)]?.fireDate.date)
    try write(record, "item \(item.id)", into: &output)
  }

  mutating func finish(into output: inout [UInt8]) {
    for section in [StoreHead.Field.items, .reminders, .messages, .deliveries] { go(to: section) }
    json.closeSection(isEmpty: isEmpty)
    json.closeStore(head.counters.unknown)
    output += json.take()
  }

  private mutating func go(to section: StoreHead.Field) {
    guard section != self.section else { return }
    json.closeSection(isEmpty: isEmpty)
    json.openSection(section.key)
    (self.section, isEmpty) = (section, true)
  }

  private mutating func write<Root: Record>(
    _ record: Root, _ words: String, into output: inout [UInt8]
  ) throws {
    json.separate(isFirst: isEmpty)
    isEmpty = false
    do {
      try Root.form.write(record, to: json)
    } catch let value as UnwritableValue {
      throw value.error(in: words)
    }
    output += json.take()
  }
}

extension [UInt8] {
  /// Appends a text in UTF-8.
  mutating func append(text: some StringProtocol) { append(contentsOf: text.utf8) }
}
