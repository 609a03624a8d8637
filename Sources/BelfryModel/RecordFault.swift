/// A record that holds what Belfry never writes. The rest of the store can be read.
public protocol RecordFault: Error {
  /// The table, the row and the column, and what is wrong there.
  var message: String { get }
}
