import BelfryModel

/// A selection of deliveries, which come newest first.
public struct DeliveryQuery: Hashable, Sendable {
  /// The state of the deliveries; `nil` for all.
  public var state: Delivery.State?
  /// The name of their sink, compared byte for byte; `nil` for all sinks.
  public var sink: String?
  /// The lists that they belong to, by the list or by an item on it; `nil` for all deliveries, even about deleted
  /// items.
  public var lists: Set<Int64>?
  /// The number below which their numbers must be, the last one of the previous page; `nil` for the first page.
  public var before: Int64?
  /// The most deliveries to read; `nil` for all.
  public var limit: Int?

  /// A query; without arguments, for all deliveries.
  public init(
    state: Delivery.State? = nil, sink: String? = nil, lists: Set<Int64>? = nil, before: Int64? = nil,
    limit: Int? = nil
  ) {
    self.state = state
    self.sink = sink
    self.lists = lists
    self.before = before
    self.limit = limit
  }
}
