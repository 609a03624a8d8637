import BelfryCore
import FoundationEssentials
import Glibc

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
      let process = Int32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)),
      Self.hasLocked(process, inode: UInt64(status.st_ino))
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

  // What a process has open tells of its locks, where it may be looked at. The list of all locks has those of other
  // users' processes too, but it comes a page at a time: where there are many that come and go, a reader misses some.
  private static func hasLocked(_ process: Int32, inode: UInt64) -> Bool {
    let folder = "/proc/\(process)/fdinfo"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return (names.map { "\(folder)/\($0)" } + ["/proc/locks"]).contains { path in
      let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
      return text.split(separator: "\n").contains { isLock($0, of: process, inode) }
    }
  }

  // `4: FLOCK  ADVISORY  WRITE 4321 fe:01:1234567 0 EOF`, after `lock:` where it is told of an open file. The device is
  // no help: file systems with volumes show another one here than elsewhere.
  private static func isLock(_ line: Substring, of process: Int32, _ inode: UInt64) -> Bool {
    guard let start = line.firstRange(of: "FLOCK")?.lowerBound else { return false }
    let words = line[start...].split(separator: " ")
    return words.count > 4 && words[2] == "WRITE" && words[3] == "\(process)" && words[4].hasSuffix(":\(inode)")
  }
}
