/// A sink that the config enables, under its name.
public struct ActiveSink: Sendable {
  /// The name in the config.
  public let name: String
  /// Where the messages go.
  public let sink: any ReminderSink
  /// When to try again.
  public let retry: RetryPolicy
  /// When it gets nothing.
  public let quietHours: QuietHours?
  /// How many attempts may begin within a while.
  public let rateLimit: RateLimit?
  /// The sink that is told when a delivery dies, by its name.
  public let onFailure: String?

  /// A sink with its name and policy.
  public init(
    name: String, sink: any ReminderSink, retry: RetryPolicy = RetryPolicy(), quietHours: QuietHours? = nil,
    rateLimit: RateLimit? = nil, onFailure: String? = nil
  ) {
    self.name = name
    self.sink = sink
    self.retry = retry
    self.quietHours = quietHours
    self.rateLimit = rateLimit
    self.onFailure = onFailure
  }
}
