import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials

/// The settings of an export, which writers need in addition to lists and items.
struct ExportContext: Sendable {
  /// The zones, and the zone in which floating items are read.
  var planner: Planner
  /// The time of day that a date without a time stands for.
  var defaultTime = Settings().defaultTime
  /// The instant of the export.
  var now: Date
  var counters = StoreCounters()
  var people: [KnownPerson] = []
  /// The name of the zone in which floating times are written; `nil` to write them as floating.
  var floatingZone: String?
}

/// A writer of one format, which appends each list and item to an output.
///
/// The calls come in this order: ``start(into:)``, each list, each item (list by list, in list order),
/// ``finish(into:)``. The caller empties the output from time to time, so a writer must not read it back.
protocol ExportWriter {
  /// Appends the start of the file.
  mutating func start(into output: inout [UInt8]) throws
  mutating func write(_ list: Checklist, into output: inout [UInt8]) throws
  /// Appends an item.
  ///
  /// - Throws: ``BelfryError`` `.badInput` with the item's number for a text that the format cannot hold.
  mutating func write(_ listing: ItemListing, into output: inout [UInt8]) throws
  /// Appends the end of the file.
  mutating func finish(into output: inout [UInt8]) throws
}

extension [Reminder] {
  /// The snoozes by the item or list that was snoozed.
  var byOwner: [ReminderOwner: Reminder] { Dictionary(map { ($0.occurrence.owner, $0) }) { $1 } }
}
