import BelfryEngine
import BelfryModel
import FoundationEssentials
import Glibc

/// The checks of `belfry doctor` for the store and its folder.
struct StoreChecks {
  let session: Session
  let now: Date
  /// The store's information, read once, since checking its copy takes time.
  let info: Result<StoreInfo, any Error>

  init(session: Session, now: Date) {
    self.session = session
    self.now = now
    info = Result { try session.belfry.store.info() }
  }

  private static let setAsideLimit = 10
  private static let faultLimit = 5

  private var store: any ItemStore { session.belfry.store }
  private var path: String { store.location }
  private var isOnServer: Bool { session.assembly.configuration.store.isOnServer }

  /// The findings about the store's content, its permissions and its disk.
  func findings() -> [Finding] {
    let info: StoreInfo
    let counts: StoreCounts
    let (faults, notes): ([String], [String])
    var events = 0
    do {
      (counts, faults, notes) = try store.read { view in
        try view.forEachItem(ItemQuery(kind: .events)) { _ in events += 1 }
        return try (view.counts(), view.editFaults(), view.editNotes())
      }
      // The first reading of a folder with lists makes its state.
      let known = try self.info.get()
      info = known.version == nil ? try store.info() : known
    } catch {
      return [.fail("store", error)]
    }
    guard let version = info.version else {
      let isFolder = !store.watchedFolders.isEmpty && access(path, F_OK) == 0
      let words =
        isFolder
        ? "\(path) holds no list yet; its state is made with the first one" : "\(path) is made at the first write"
      let finding =
        session.assembly.configuration.store.plugin.absence.map {
          Finding.warning("store", $0, advice: "correct the path in the config if the lists are elsewhere")
        } ?? .ok("store", words)
      return [finding] + files(faults) + (isOnServer ? [] : [room(0)])
    }
    let copy = isOnServer ? "back it up with pg_dump" : info.backup.map { "last good copy \($0)" } ?? "no good copy yet"
    let ringing = events == 0 ? "" : ", \(counted(events, "event")) of calendars"
    let size = "\(counted(counts.items, "item"))\(ringing), \(ByteCount.words(info.sizeBytes))"
    let words = "\(path), version \(version), \(size), \(copy)"
    let advice = info.advice(items: counts.items)
    let state = advice.map { Finding.warning("store", words, advice: $0) } ?? .ok("store", words)
    return [state] + files(faults) + self.notes(notes) + (isOnServer ? [] : [permissions(), room(info.sizeBytes)])
  }

  // The unusable files of other programs.
  private func files(_ faults: [String]) -> [Finding] {
    let findings = faults.prefix(Self.faultLimit).map { Finding.warning("files", $0, advice: nil) }
    guard faults.count > Self.faultLimit else { return findings }
    let more = "\(faults.count - Self.faultLimit) more cannot be used"
    return findings + [.warning("files", more, advice: "'belfry store check' names all")]
  }

  // The parts of other programs' files that are not followed.
  private func notes(_ notes: [String]) -> [Finding] {
    let findings = notes.prefix(Self.faultLimit).map {
      Finding.warning("files", $0, advice: "the rest of the file is followed")
    }
    guard notes.count > Self.faultLimit else { return findings }
    let more = "\(notes.count - Self.faultLimit) more are not followed in full"
    return findings + [.warning("files", more, advice: "the daemon's log names them")]
  }

  // The folder must be writable too, since every store creates files next to its own, or in its own folder.
  private func permissions() -> Finding {
    var status = stat()
    let isThere = stat(path, &status) == 0
    let isFolder = isThere && status.st_mode & S_IFMT == S_IFDIR
    let folder = isFolder ? path : URL(fileURLWithPath: path).deletingLastPathComponent().path
    if access(path, R_OK | W_OK) != 0 || access(folder, W_OK | X_OK) != 0 {
      return .fail(
        "permission", .noPermission, "you may not write to \(path)\(isFolder ? "" : " or to its folder")",
        advice: "run belfry as the owner, or give yourself the right to \(isFolder ? "it" : "both")")
    }
    guard isThere else { return .ok("permission", "you can write to the store") }
    if status.st_uid != geteuid(), geteuid() != 0 {
      return .warning(
        "permission", "\(path) belongs to another user (number \(status.st_uid))",
        advice: "run the daemon as a user who may write to it too")
    }
    if status.st_mode & 0o077 != 0 {
      return .warning(
        "permission", "others may open \(path) (mode \(FileMode.words(status)))",
        advice: "chmod \(isFolder ? 700 : 600) \(path.shellQuoted)")
    }
    return .ok("permission", "only you can open the store")
  }

  // A store is rewritten next to itself, or copied, so it needs its own size again, and some room to grow.
  private func room(_ size: Int64) -> Finding {
    var folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    var file = statvfs()
    while statvfs(folder.path, &file) != 0, folder.path != "/" { folder.deleteLastPathComponent() }
    let free = Int64(
      clamping: UInt64(file.f_bavail).multipliedReportingOverflow(by: UInt64(file.f_frsize)).partialValue)
    let words = "\(ByteCount.words(free)) free for \(path)"
    if free < 1_000_000 { return .fail("disk", .storeFailed, words, advice: "make room: nothing can be written") }
    if free < 2 * size + 50_000_000 { return .warning("disk", words, advice: "make room before it is full") }
    return .ok("disk", words)
  }

  /// The findings about items and lists that do not ring because they cannot be planned or read.
  func setAside() -> [Finding] {
    guard let found = try? session.belfry.read({ try $0.setAside() }) else { return [] }
    let findings = found.prefix(Self.setAsideLimit).map { Finding.fail("items", .badInput, "\($0)", advice: $0.advice) }
    guard found.count > Self.setAsideLimit else { return findings }
    let more = "\(found.count - Self.setAsideLimit) more are skipped"
    return findings + [.fail("items", .badInput, more, advice: "fix these first, then check again")]
  }

  /// The finding about pending, dead and overdue deliveries.
  func deliveries(daemon: RunningDaemon?) -> Finding {
    do {
      return try session.belfry.read { reading in
        let counts = try reading.view.counts()
        let (dead, pending) = (counts.deliveries[.dead] ?? 0, counts.deliveries[.pending] ?? 0)
        if dead > 0 {
          return .warning(
            "deliveries", "\(dead) given up, \(pending) waiting",
            advice: "'belfry deliveries --state dead' tells why, 'belfry deliveries retry --dead' tries again, "
              + "'belfry deliveries discard --dead' puts them away")
        }
        // The daemon ticks once a minute, so reminders of the last minutes do not count.
        let overdue = try reading.view.dueReminders(at: now - 120, limit: 1_000).count
        if overdue > 0 {
          let reminders = overdue == 1_000 ? "1000 or more reminders" : counted(overdue, "reminder")
          return .warning(
            "deliveries", "\(reminders) should have rung and did not",
            advice: daemon == nil ? "they ring once a daemon runs" : "the daemon's log tells why")
        }
        let scheduled = counted(counts.scheduled, "reminder")
        return .ok("deliveries", "\(scheduled) scheduled, \(pending) waiting to be delivered")
      }
    } catch {
      return .fail("deliveries", error)
    }
  }
}

enum FileMode {
  /// The permissions in octal, as `0644`.
  static func words(_ status: stat) -> String {
    let digits = String(status.st_mode & 0o7777, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
