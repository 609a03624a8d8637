import BelfryEngine

/// A place for one store, empty at first, of which a conformance case opens the store as often as it likes.
public protocol StoreFixture: Sendable {
  /// Opens the store as another process would: nothing is shared with what was opened before but what the store keeps.
  ///
  /// A store that does not outlive its process gives the same one each time.
  func open() throws -> any ItemStore

  /// Whether what was written outlives the process.
  var isDurable: Bool { get }

  /// The names of what there is on disk of the store; none for a store that keeps nothing there.
  func names() throws -> [String]
}

/// What every store must do, case by case.
///
/// Run each case on a fixture of its own: `for each in StoreConformance.cases { try await each.run(MyFixture()) }`.
public enum StoreConformance {
  /// One thing that every store must do.
  public typealias Case = ConformanceCase<any StoreFixture>

  /// All that every store must do.
  public static let cases: [Case] =
    numbers + lists + summaries + items + itemQueries + reminders + dueReminders + messages + deliveries + attempts
    + pruning + transactions + texts + dates + records + sharing
}
