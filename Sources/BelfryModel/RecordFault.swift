/// An error about a single record with values that Belfry never writes. The rest of the store is readable.
public protocol RecordFault: Error {
  /// The table, row and column, and the problem.
  var message: String { get }
}
