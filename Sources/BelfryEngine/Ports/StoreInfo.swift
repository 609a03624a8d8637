import BelfryModel
import FoundationEssentials

/// The properties of a store that are known without reading its records.
public struct StoreInfo: Hashable, Sendable {
  /// The version of the format; `nil` before the first write.
  public var version: Int?
  /// The size on disk in bytes, including its companion files.
  public var sizeBytes: Int64
  /// The time of the last write; `nil` before the first.
  public var lastWrite: Date?
  /// The path of the latest intact backup that Belfry keeps next to the store.
  public var backup: String?
  /// The number of items up to which a store that rewrites its file with each change is fast; `nil` for no such limit.
  public var suitableItems: Int?

  /// Properties; without arguments, those of a store that has not been written yet.
  public init(
    version: Int? = nil, sizeBytes: Int64 = 0, lastWrite: Date? = nil, backup: String? = nil, suitableItems: Int? = nil
  ) {
    self.suitableItems = suitableItems
    self.version = version
    self.sizeBytes = sizeBytes
    self.lastWrite = lastWrite
    self.backup = backup
  }
}

extension StoreInfo {
  /// Advice for a store that holds more items than suit it; `nil` if it does not.
  package func advice(items: Int) -> String? {
    guard let suitableItems, items > suitableItems else { return nil }
    return
      "a file is read and written whole: beyond \(suitableItems) items 'belfry store copy --to FILE.yaml' into SQLite "
      + "makes changes faster"
  }
}

/// The number of records in a store.
public struct StoreCounts: Hashable, Sendable {
  /// Lists in the store, empty ones too.
  public var lists = 0
  /// The number of to-dos, checked ones included; events of calendars do not count.
  public var items = 0
  /// The number of to-dos that are unchecked.
  public var unchecked = 0
  /// The number of reminders that are scheduled.
  public var scheduled = 0
  /// Deliveries by state; states without deliveries may be missing.
  public var deliveries: [Delivery.State: Int] = [:]

  /// Counts of an empty store.
  public init() {}
}
