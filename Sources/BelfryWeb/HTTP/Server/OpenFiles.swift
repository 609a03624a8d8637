import Glibc

/// The number of files that the process may have open.
enum OpenFiles {
  /// The number kept for the store and the server itself.
  static let reserve = 64

  /// Raises the limit as far as the process may, to at most 65,536, and returns it.
  static func raisedLimit() -> Int {
    let most: rlim_t = 65_536
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    var raised = rlimit(rlim_cur: min(limit.rlim_max, most), rlim_max: limit.rlim_max)
    if limit.rlim_cur < raised.rlim_cur, setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 {
      limit = raised
    }
    return max(Int(min(limit.rlim_cur, most)), 2 * reserve)
  }
}
