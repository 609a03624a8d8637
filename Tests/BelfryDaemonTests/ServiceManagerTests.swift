import BelfryRuntime
import Testing

@Suite struct ServiceManagerTests {
  @Test(
    "the watchdog of this process is pinged twice as often as it would bark, any other never",
    arguments: [
      (["WATCHDOG_USEC": "180000000"], 90_000_000), (["WATCHDOG_USEC": "3000001", "WATCHDOG_PID": "42"], 1_500_000),
      (["WATCHDOG_USEC": "180000000", "WATCHDOG_PID": "43"], nil), (["WATCHDOG_PID": "42"], nil), ([:], nil),
      (["WATCHDOG_USEC": "0"], nil), (["WATCHDOG_USEC": "-2"], nil), (["WATCHDOG_USEC": "1"], nil),
      (["WATCHDOG_USEC": "many"], nil), (["WATCHDOG_USEC": "99999999999999999999"], nil),
    ] as [([String: String], Int64?)])
  func interval(variables: [String: String], microseconds: Int64?) {
    #expect(ServiceManager.pingInterval(variables, process: 42) == microseconds)
  }
}
