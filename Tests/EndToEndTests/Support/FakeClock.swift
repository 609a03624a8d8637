import Foundation

/// A wall clock of our own for a process: libfaketime, loaded into it.
enum FakeClock {
  private static let library: String? = ["x86_64-linux-gnu", "aarch64-linux-gnu"]
    .map { "/usr/lib/\($0)/faketime/libfaketime.so.1" }.first { access($0, R_OK) == 0 }

  /// The environment in which the clock starts at a moment, or with `-2h` runs two hours behind.
  static func environment(_ setting: String) throws -> [String: String] {
    guard let library else { throw Missing(what: "libfaketime", remedy: "install Debian's package faketime") }
    return ["LD_PRELOAD": library, "FAKETIME": setting.hasPrefix("2") ? "@\(setting)" : setting]
  }

  /// Removes what the library leaves in shared memory when its process is killed.
  static func forget(_ pid: pid_t) {
    unlink("/dev/shm/faketime_shm_\(pid)")
    unlink("/dev/shm/sem.faketime_sem_\(pid)")
  }
}
