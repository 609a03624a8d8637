import BelfryCore
import FoundationEssentials

/// What the writers of files need to know beside lists and items.
public struct ExportContext: Sendable {
  /// The zones, and the one that floating items are read in.
  public var planner: Planner
  /// What a date without a time means.
  public var defaultTime: TimeOfDay
  /// The instant of the export.
  public var now: Date
  /// What the store counts.
  public var counters: StoreCounters

  /// A context with all its fields.
  public init(
    planner: Planner, defaultTime: TimeOfDay = Settings().defaultTime, now: Date,
    counters: StoreCounters = StoreCounters()
  ) {
    self.planner = planner
    self.defaultTime = defaultTime
    self.now = now
    self.counters = counters
  }
}

/// A writer of one format, which is handed one thing at a time and appends what it makes of it.
///
/// The calls come in this order: ``start(into:)``, each list, each item (list by list, in list order), ``finish(into:)``.
/// The caller takes the bytes away from time to time, so nothing may be read back.
public protocol ExportWriter {
  /// Appends what comes first.
  mutating func start(into output: inout [UInt8]) throws
  /// Appends a list.
  mutating func write(_ list: Checklist, into output: inout [UInt8]) throws
  /// Appends an item.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for a text that the format cannot hold, by the item's number.
  mutating func write(_ listing: ItemListing, into output: inout [UInt8]) throws
  /// Appends what comes last.
  mutating func finish(into output: inout [UInt8]) throws
}
