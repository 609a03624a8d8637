/// Decides when the files that vanished from one folder count as deleted.
///
/// Programs delete files one by one, and none of them says whether a list was cleared or a sync went wrong. So a file
/// that vanished stays for a minute. If many vanished within ten minutes, they stay for a day, which is reported.
struct VanishedFiles {
  /// The seconds for which a file must be missing, and no other may vanish.
  static let settling: Int64 = 60
  /// The seconds within which files count together, and for which a file waits at most while others vanish.
  static let window: Int64 = 600
  /// The seconds for which guarded files stay.
  static let guarding: Int64 = 86_400
  /// The most open to-dos that may vanish from any folder within the window.
  static let few = 10

  /// A file that vanished and does not count as deleted yet.
  struct File {
    let path: String
    /// The time in seconds since 1970 at which it was first missing.
    let since: Int64
    /// True if its to-do is open. Clients delete completed ones together.
    let isOpen: Bool
    /// True if it is known to be one of many.
    var isGuarded = false
  }

  let folder: String
  /// The files; those that vanished with many others are guarded.
  let files: [File]
  /// The files that have become guarded.
  let newlyGuarded: [File]
  // The time at which an open to-do vanished last.
  private let last: Int64?

  /// The files that vanished from a folder.
  ///
  /// - Parameters:
  ///   - deleted: the times at which open to-dos vanished, of those that already count as deleted; only times that may
  ///     still count together with others.
  ///   - open: the number of open to-dos in the folder, those in `files` included.
  ///   - isFolderGone: true if the folder itself is missing.
  init(folder: String, files: [File], deleted: [Int64], open: Int, isFolderGone: Bool) {
    let times = (deleted + files.filter(\.isOpen).map(\.since)).sorted()
    let many = Self.many(times, of: open + deleted.count)
    var (all, new): ([File], [File]) = ([], [])
    for var file in files {
      if !file.isGuarded, isFolderGone || file.isOpen && many.contains(file.since) {
        file.isGuarded = true
        new.append(file)
      }
      all.append(file)
    }
    (self.folder, self.files, newlyGuarded, last) = (folder, all, new, times.last)
  }

  /// The files that count as deleted.
  ///
  /// - Parameter now: the time in seconds since 1970.
  func deleted(at now: Int64) -> [File] {
    let isQuiet = last.map { now - $0 >= Self.settling } ?? true
    return files.filter { file in
      let age = now - file.since
      if file.isGuarded { return age >= Self.guarding }
      return age >= Self.settling && (isQuiet || !file.isOpen || age >= Self.window)
    }
  }

  // The times of the files that vanished together with many others: within the window, more than a few, and more than a
  // tenth of all.
  private static func many(_ times: [Int64], of all: Int) -> Set<Int64> {
    var many: Set<Int64> = []
    var (end, marked) = (0, 0)
    for start in times.indices {
      while end < times.count, times[end] - times[start] <= window { end += 1 }
      let count = end - start
      guard count > few, count * 10 > all else { continue }
      many.formUnion(times[max(start, marked)..<end])
      marked = end
    }
    return many
  }
}
