import BelfryCore
import Foundation

/// The daemon that has a store, told by its lock.
struct RunningDaemon {
  /// Its process.
  let process: Int32
  /// When it took the lock.
  let since: Date
  /// Whether its program's file was replaced since it started.
  let isOutdated: Bool

  /// The daemon of the store in this file; `nil` where none runs, or none that this process may see, as in another
  /// container.
  ///
  /// The lock is not touched: a daemon that starts at this moment must not find it taken. The kernel lists who has it.
  init?(store: String) {
    guard
      let path = realpath(store, nil).map({ pointer in
        defer { free(pointer) }
        return String(cString: pointer) + ".lock"
      })
    else { return nil }
    var status = stat()
    guard stat(path, &status) == 0, let bytes = FileManager.default.contents(atPath: path),
      let process = Int32(String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)),
      Self.holders(ofInode: UInt64(status.st_ino)).contains(process)
    else { return nil }
    self.process = process
    // It writes its number when it takes the lock, and never again.
    since = Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
    isOutdated = program?.hasSuffix(" (deleted)") ?? false
  }

  /// The processes of this user's daemons, whichever store they have.
  static func processes() -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { process in
      var status = stat()
      guard stat("/proc/\(process)", &status) == 0, status.st_uid == geteuid() else { return false }
      let name = FileManager.default.contents(atPath: "/proc/\(process)/comm")
      return name.map { String(decoding: $0, as: UTF8.self) } == "belfryd\n"
    }.sorted()
  }

  // Lines such as `4: FLOCK  ADVISORY  WRITE 4321 fe:01:1234567 0 EOF`. The device is no help: file systems with
  // volumes show another one here than elsewhere.
  private static func holders(ofInode inode: UInt64) -> [Int32] {
    guard let bytes = FileManager.default.contents(atPath: "/proc/locks") else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count > 5, words[1] == "FLOCK", words[3] == "WRITE", words[5].hasSuffix(":\(inode)") else {
        return nil
      }
      return Int32(words[4])
    }
  }
}
