import BelfryModel
import FoundationEssentials

/// A writer of Belfry's own JSON or property list: a store's file without reminders and deliveries, which a store can
/// also open. It keeps the numbers of people. A snoozed item has the time of its snooze.
struct BelfryWriter: ExportWriter {
  private let head: StoreHead
  private let snoozes: [ReminderOwner: Reminder]
  private let file: any StoreOutput
  private var section = StoreHead.Field.lists
  private var isEmpty = true

  /// A writer.
  ///
  /// - Parameters:
  ///   - snoozes: the scheduled snoozes.
  ///   - file: the file's format.
  init(context: ExportContext, snoozes: [Reminder], to file: any StoreOutput) {
    self.file = file
    var counters = context.counters
    counters.plannedZone = counters.plannedZone ?? context.planner.floatingZone.identifier
    head = StoreHead(counters, people: context.people)
    self.snoozes = snoozes.byOwner
  }

  func start(into output: inout [UInt8]) throws {
    try file.openStore(head)
    file.openSection(section.key)
    output += file.take()
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

  mutating func finish(into output: inout [UInt8]) throws {
    for section in [StoreHead.Field.items, .reminders, .messages, .deliveries] { go(to: section) }
    file.closeSection(isEmpty: isEmpty)
    try file.closeStore(head.counters.unknown)
    output += file.take()
  }

  private mutating func go(to section: StoreHead.Field) {
    guard section != self.section else { return }
    file.closeSection(isEmpty: isEmpty)
    file.openSection(section.key)
    (self.section, isEmpty) = (section, true)
  }

  private mutating func write<Root: Record>(
    _ record: Root, _ words: String, into output: inout [UInt8]
  ) throws {
    file.separate(isFirst: isEmpty)
    isEmpty = false
    do {
      try Root.form.write(record, to: file)
    } catch let value as UnwritableValue {
      throw value.error(in: words)
    }
    output += file.take()
  }
}

extension [UInt8] {
  mutating func append(text: some StringProtocol) { append(contentsOf: text.utf8) }
}
