import BelfryModel
import FoundationEssentials

/// The properties of a store that are known without reading its records.
public struct StoreInfo: Hashable, Sendable {
  /// The version of its format; `nil` where nothing has been written yet.
  public var version: Int?
  /// How much it takes on disk, in bytes, what belongs to it beside its file included.
  public var sizeBytes: Int64
  /// When it was last written; `nil` where nothing has been written yet.
  public var lastWrite: Date?
  /// The last copy that Belfry keeps beside it and that is whole, by its path.
  public var backup: String?
  /// How many items it is made for, where each change costs more the more there are; `nil` for any number.
  public var suitableItems: Int?

  /// Everything there is to say; without arguments, of a store that has not been written yet.
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
  /// Advice for a store that holds more items than it is made for; `nil` where there is none.
  public func advice(items: Int) -> String? {
    guard let suitableItems, items > suitableItems else { return nil }
    return
      "a file is read and written whole: beyond \(suitableItems) items 'belfry store copy --to FILE.yaml' into SQLite "
      + "makes changes faster"
  }
}

/// How much a store holds.
public struct StoreCounts: Hashable, Sendable {
  /// Lists.
  public var lists = 0
  /// Items.
  public var items = 0
  /// Items that are unchecked.
  public var unchecked = 0
  /// Reminders that are scheduled.
  public var scheduled = 0
  /// Deliveries by state; none where there are none.
  public var deliveries: [Delivery.State: Int] = [:]

  /// Nothing.
  public init() {}
}
