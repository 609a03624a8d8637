/// A rule that a daemon for tests breaks, by the name that its program knows.
enum DaemonFlaw: String, CaseIterable {
  case recordsFirst, noPoll, memoryQueue, wideBegin, lateSecond

  /// The beginning, or the end, of a sentence about the promise that is broken with it.
  var finding: String {
    switch self {
    case .wideBegin: "without a fault that explains it"
    case .recordsFirst, .noPoll: "has never arrived"
    case .memoryQueue, .lateSecond: "s after its answer"
    }
  }
}
