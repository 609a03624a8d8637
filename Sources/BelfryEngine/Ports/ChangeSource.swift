/// Hears of changes to a store, used by one thread at a time.
///
/// It is a hint: whoever waits for it looks at the store now and then as well.
public protocol ChangeSource: AnyObject {
  /// Becomes readable when something may have changed; -1 while that cannot be told.
  var descriptor: Int32 { get }

  /// Takes in what has come; called when the descriptor is readable, and now and then. Does not throw: a lost connection
  /// is made again by a later call.
  ///
  /// - Returns: true if something may have changed since the last call.
  func takeIn() -> Bool
}
