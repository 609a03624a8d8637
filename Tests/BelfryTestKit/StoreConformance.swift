import BelfryEngine

/// A place for one store, empty at first, which a conformance case may open several times.
public protocol StoreFixture: Sendable {
  /// Opens the store as another process would: only what is stored is shared with earlier instances.
  ///
  /// A store that does not outlive its process returns the same one each time.
  func open() throws -> any ItemStore

  /// True if the store's content outlives the process.
  var isDurable: Bool { get }

  /// The names of the store's files; empty for a store without any.
  func names() throws -> [String]
}

/// The requirements on every store, as test cases.
///
/// Run each case on a fixture of its own: `for each in StoreConformance.cases { try await each.run(MyFixture()) }`.
public enum StoreConformance {
  /// A requirement that every store has to meet.
  public typealias Case = ConformanceCase<any StoreFixture>

  /// The requirements on every store.
  public static let cases: [Case] =
    numbers + lists + summaries + items + itemQueries + reminders + dueReminders + messages + deliveries
    + deliveryQueries + attempts + answers + inboxes + people + keys + pruning + transactions + texts
    + dates + records + sharing
}
