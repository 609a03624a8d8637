/// Notices changes to a store; used by one thread at a time.
///
/// It is only a hint: its user must also check the store from time to time.
public protocol ChangeSource: AnyObject {
  /// Becomes readable when something may have changed; -1 while that is unknown.
  var descriptor: Int32 { get }

  /// Reads the notifications that have arrived; called when the descriptor is readable, and from time to time. Does not
  /// throw: a lost connection is made again by a later call.
  ///
  /// - Returns: true if something may have changed since the last call.
  func takeIn() -> Bool
}
