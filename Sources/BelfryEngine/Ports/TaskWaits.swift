import FoundationEssentials

/// Waits on behalf of tasks, in the one wait of the program: no timer, thread or wake-up of their own.
public protocol TaskWaits: Sendable {
  /// Waits until an instant, or until the task is cancelled.
  func until(_ instant: Date) async

  /// Waits until a descriptor has one of some events (poll(2)), or until an instant, or until the task is cancelled.
  func ready(_ descriptor: Int32, for events: Int16, until instant: Date?) async
}
