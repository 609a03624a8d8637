import CLinuxEvents
import FoundationEssentials
import Glibc
import SystemFiles

/// Makes the changes of files that were decided and committed, also those left by a crash.
struct Settlement {
  let mirror: Mirror
  let root: String
  /// The time in nanoseconds since 1970.
  let readAt: Int64
  let failures: VdirFailures
  var observer: StepObserver?

  /// Makes every change, in order. A change that conflicts with another program's is left for the next scan.
  ///
  /// - Returns: true if another program has overtaken a change.
  /// - Throws: ``BelfryError``; then the changes are still to be made.
  func run() throws -> Bool {
    var isOvertaken = false
    var folders: Set<String> = []
    let intents = try mirror.intents()
    for intent in intents {
      let change = FileChange(intent: intent, root: root, failures: failures, observer: observer)
      switch try change.make() {
      case .made: try note(intent)
      case .conflict:
        isOvertaken = true
        try giveWay(intent)
      }
      folders.insert(SymbolicLinks.folder(of: "\(root)/\(intent.path)"))
      try mirror.close(intent)
      observer?(.recorded)
    }
    for folder in folders { try sync(folder, all: intents.count > 50) }
    return isOvertaken
  }

  private func note(_ intent: Mirror.Intent) throws {
    guard intent.new != nil, var file = try mirror.file(at: intent.path),
      let stamp = FileMark("\(root)/\(intent.path)")
    else { return }
    (file.stamp, file.changedAt, file.readAt, file.goneSince) = (stamp.text, stamp.changedAt, readAt, nil)
    try mirror.update(file)
  }

  // The mirror returns to the earlier content, so that the other program's change is found and merged.
  private func giveWay(_ intent: Mirror.Intent) throws {
    // A new item only gets another file.
    if intent.old != nil || !FolderListing.isCalendar(intent.path.utf8) { try mirror.putOvertaken(intent) }
    guard var file = try mirror.file(at: intent.path) else {
      let lists = try mirror.lists()
      if var list = lists.first(where: { "\($0.folder)/displayname" == intent.path }) {
        list.name = intent.old
        try mirror.put(list)
      } else if var list = lists.first(where: { "\($0.folder)/color" == intent.path }) {
        list.color = intent.old
        try mirror.put(list)
      }
      return
    }
    guard let old = intent.old else {
      // The item needs another file.
      try mirror.removeFile(intent.path)
      if let uuid = file.uuid, let id = try mirror.itemID(of: uuid) { try mirror.touchItem(id) }
      return
    }
    // With a fault, so that the item is written into the file again.
    (file.stamp, file.digest, file.fault) = ("", [], "it was changed while Belfry changed it")
    try mirror.put(file, bytes: old)
  }

  // Before the changes count as made. A removed folder needs no sync; its parent does, and the system syncs it in time.
  private func sync(_ folder: String, all: Bool) throws {
    do throws(SystemCallFailure) {
      try OpenFile.sync(folder: folder) { if all { belfry_sync_files($0) } }
    } catch {
      guard [ENOENT, ENOTDIR].contains(error.code) else { throw failures.cannotWrite(folder, error.code) }
    }
  }
}
