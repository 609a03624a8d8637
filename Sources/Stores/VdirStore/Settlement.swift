import CLinuxEvents
import FoundationEssentials
import Glibc
import SystemFiles

/// Makes the changes of files that were decided and committed, also those that a crash has left.
struct Settlement {
  let mirror: Mirror
  let root: String
  /// The time in nanoseconds since 1970.
  let readAt: Int64
  let failures: VdirFailures

  /// Makes every change, in order.
  ///
  /// - Returns: the files and items whose change met one of another program.
  /// - Throws: ``BelfryError``; then the changes are still to be made.
  func run() throws -> (conflicts: Set<String>, items: Set<Int64>) {
    var conflicts: Set<String> = []
    var items: Set<Int64> = []
    var folders: Set<String> = []
    let intents = try mirror.intents()
    for intent in intents {
      switch try FileChange(intent: intent, root: root, failures: failures).make() {
      case .made: try note(intent)
      case .conflict:
        conflicts.insert(intent.path)
        if let id = try giveWay(intent) { items.insert(id) }
      }
      folders.insert(SymbolicLinks.folder(of: "\(root)/\(intent.path)"))
      try mirror.close(intent)
    }
    for folder in folders { try sync(folder, all: intents.count > 50) }
    return (conflicts, items)
  }

  private func note(_ intent: Mirror.Intent) throws {
    guard intent.new != nil, var file = try mirror.file(at: intent.path),
      let stamp = FileMark("\(root)/\(intent.path)")
    else { return }
    (file.stamp, file.changedAt, file.readAt, file.goneSince) = (stamp.text, stamp.changedAt, readAt, nil)
    try mirror.update(file)
  }

  // The mirror goes back to the content from before, so that the other program's change is found and merged. Returns an
  // item that needs another file.
  private func giveWay(_ intent: Mirror.Intent) throws -> Int64? {
    guard var file = try mirror.file(at: intent.path) else {
      let folder = intent.path.prefix { $0 != "/" }
      if var list = try mirror.lists().first(where: { $0.folder.utf8.elementsEqual(folder.utf8) }) {
        list.name = intent.old
        try mirror.put(list)
      }
      return nil
    }
    guard let old = intent.old else {
      try mirror.removeFile(intent.path)
      return try file.uuid.flatMap { try mirror.itemID(of: $0) }
    }
    (file.stamp, file.digest) = ("", [])
    try mirror.put(file, bytes: old)
    return nil
  }

  // Before the changes count as made. A folder that was removed needs no sync: its parent would, and is synced by the
  // system in time.
  private func sync(_ folder: String, all: Bool) throws {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if all { belfry_sync_files(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw failures.cannotWrite(folder, errno) }
  }
}
