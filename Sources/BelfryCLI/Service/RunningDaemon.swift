import BelfryEngine
import FoundationEssentials
import Glibc

/// The daemon that runs on a store, found by its lock.
struct RunningDaemon {
  let process: Int32
  /// The time at which it took the lock.
  let since: Date
  /// True if its program's file was replaced since it started.
  let isOutdated: Bool

  /// The daemon of a store on this machine; `nil` if this process can see none.
  ///
  /// The lock is not taken, since a daemon that starts at this moment would find it taken. The kernel lists its owner.
  init?(store: any ItemStore) {
    guard
      let path = realpath(store.watchedFile ?? store.location, nil).map({ pointer in
        defer { free(pointer) }
        return String(cString: pointer) + ".lock"
      })
    else { return nil }
    var status = stat()
    guard stat(path, &status) == 0, let bytes = FileManager.default.contents(atPath: path),
      let process = Int32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)),
      Self.hasLocked(process, inode: UInt64(status.st_ino))
    else { return nil }
    self.process = process
    // The daemon writes its number once, when it takes the lock.
    since = Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
    isOutdated = program?.hasSuffix(" (deleted)") ?? false
  }

  /// The command that stops it: the service manager's if that runs it, since it would start it again.
  func stopCommand(_ environment: [String: String]) -> String {
    let isService = UserManager(environment: environment)?.runs(self) == true
    return isService ? "systemctl --user stop belfry" : "kill \(process)"
  }

  /// The processes of this user's daemons on any store.
  static func processes() -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { process in
      var status = stat()
      guard stat("/proc/\(process)", &status) == 0, status.st_uid == geteuid() else { return false }
      let name = FileManager.default.contents(atPath: "/proc/\(process)/comm")
      return name.map { String(decoding: $0, as: UTF8.self) } == "belfryd\n"
    }.sorted()
  }

  // The kernel lists the locks of a process with its open files, if this user may read them. /proc/locks also lists the
  // locks of other users' processes, but the kernel returns it a page at a time, so a reader can miss locks while many
  // change.
  private static func hasLocked(_ process: Int32, inode: UInt64) -> Bool {
    let folder = "/proc/\(process)/fdinfo"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return (names.map { "\(folder)/\($0)" } + ["/proc/locks"]).contains { path in
      let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
      return text.split(separator: "\n").contains { isLock($0, of: process, inode) }
    }
  }

  // `4: FLOCK  ADVISORY  WRITE 4321 fe:01:1234567 0 EOF`, after `lock:` for an open file. The device is not compared,
  // since on file systems with subvolumes, such as Btrfs, it differs from the one that `stat` returns.
  private static func isLock(_ line: Substring, of process: Int32, _ inode: UInt64) -> Bool {
    guard let start = line.firstRange(of: "FLOCK")?.lowerBound else { return false }
    let words = line[start...].split(separator: " ")
    return words.count > 4 && words[2] == "WRITE" && words[3] == "\(process)" && words[4].hasSuffix(":\(inode)")
  }
}
