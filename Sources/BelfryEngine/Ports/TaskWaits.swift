import FoundationEssentials

/// Waits on behalf of tasks, within the program's single wait: without another timer, thread or wake-up.
public protocol TaskWaits: Sendable {
  /// Waits until an instant, or until the task is cancelled.
  func until(_ instant: Date) async

  /// Waits until a descriptor has one of the events (poll(2)), or until an instant, or until the task is cancelled.
  func ready(_ descriptor: Int32, for events: Int16, until instant: Date?) async
}
