/// A rule of daemons that share a store, broken.
enum Flaw: String {
  /// It records that a delivery was sent before it sends it.
  case recordsFirst
  /// It waits for notifications alone, and looks for no work that others have left.
  case noPoll
  /// It begins what it has in memory without a look at its row.
  case memoryQueue
  /// It begins eight times as many deliveries as it has slots.
  case wideBegin
  /// It counts the second in which an attempt must start from the end of the commit that has begun it.
  case lateSecond
}
