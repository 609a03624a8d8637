import Foundation

/// A wall clock of its own for a process, by libfaketime.
enum FakeClock {
  private static let library: String? = ["x86_64-linux-gnu", "aarch64-linux-gnu"]
    .map { "/usr/lib/\($0)/faketime/libfaketime.so.1" }.first { access($0, R_OK) == 0 }

  /// The environment for a clock that starts at a given time, runs with an offset such as `-2h`, or runs faster: `+0 x20`.
  static func environment(_ setting: String) throws -> [String: String] {
    ["LD_PRELOAD": try foundLibrary, "FAKETIME": setting.hasPrefix("2") ? "@\(setting)" : setting]
  }

  /// The environment for a clock whose offset is in a file. The clocks that cannot be set stay the machine's.
  static func environment(in file: String) throws -> [String: String] {
    [
      "LD_PRELOAD": try foundLibrary, "FAKETIME_TIMESTAMP_FILE": file, "FAKETIME_NO_CACHE": "1",
      "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    ]
  }

  /// Writes the offset of a clock into its file.
  static func set(_ file: String, to seconds: Int) throws {
    let offset = seconds < 0 ? "\(seconds)" : "+\(seconds)"
    try Data("\(offset)\n".utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
  }

  private static var foundLibrary: String {
    get throws {
      guard let library else { throw Missing(what: "libfaketime", remedy: "install Debian's package faketime") }
      return library
    }
  }

  /// Removes shared memory that the library leaves when its process is killed.
  static func forget(_ pid: pid_t) {
    unlink("/dev/shm/faketime_shm_\(pid)")
    unlink("/dev/shm/sem.faketime_sem_\(pid)")
  }
}
