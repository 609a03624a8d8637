import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import ItemEntry
import MemoryStore
@testable import BelfryEngine

/// A reader of entries at 09:00 in Zurich on Saturday, 2026-11-21.
struct EntryFixture {
  let belfry: Belfry

  init() {
    var settings = Settings()
    settings.timeZone = .named("Europe/Zurich")
    settings.categories = [Category(identifier: "bills")]
    belfry = Belfry(
      store: MemoryStore(), settings: settings, time: ManualTimeSource(), zones: ZoneDatabase(environment: [:]))
  }

  func read<Result>(_ body: (EntryReader) throws -> Result) throws -> Result {
    try belfry.read { reading in
      try body(EntryReader(reading: reading, settings: belfry.settings, zones: belfry.zones))
    }
  }

  func edit(_ values: [ItemField: ItemEntry.Words], of item: ItemListing? = nil) throws -> ItemEdit {
    try read { try $0.edit(ItemEntry(values), of: item) }
  }

  /// An item after an edit.
  func applying(_ edit: ItemEdit, to item: Item) throws -> Item {
    try belfry.read { try $0.planner.applying(edit, to: item) }
  }

  func echo(_ values: [ItemField: ItemEntry.Words], of item: ItemListing? = nil) throws -> EntryEcho {
    try read { try $0.echo(ItemEntry(values), of: item) }
  }

  /// An item on a list 'Work'.
  func item(_ values: [ItemField: ItemEntry.Words] = [:]) throws -> ItemListing {
    let draft = ItemDraft(text: "Call Anna", try edit(values))
    return try belfry.add([draft], to: ListChoice("Work", createsMissing: true))[0].listing
  }
}
