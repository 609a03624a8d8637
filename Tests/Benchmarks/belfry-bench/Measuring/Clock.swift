import Foundation

/// The clocks that the benchmark reads.
enum Clock {
  /// The monotonic clock, in milliseconds, for durations.
  static var monotonic: Double { read(CLOCK_MONOTONIC) * 1_000 }

  /// The wall clock, in seconds since 1970.
  static var wall: Double { read(CLOCK_REALTIME) }

  /// Sleeps until an instant of the wall clock, in seconds since 1970.
  static func sleep(until instant: Double) {
    var target = timespec(tv_sec: Int(instant), tv_nsec: Int((instant - instant.rounded(.down)) * 1e9))
    while clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &target, nil) == EINTR {}
  }

  static func sleep(milliseconds: Double) { sleep(until: wall + milliseconds / 1e3) }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
