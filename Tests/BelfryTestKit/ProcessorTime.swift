import Glibc

/// The processor time of work, by which a test bounds what the work costs: a busy machine does not change it.
public enum ProcessorTime {
  /// The processor time that the calling thread spends in `work`.
  public static func measure(_ work: () throws -> Void) rethrows -> Duration {
    let start = spent
    try work()
    return spent - start
  }

  private static var spent: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
