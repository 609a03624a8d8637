import BelfryEngine
import BelfryModel
import FoundationEssentials

extension FolderScan {
  /// Notes since when files and lists are missing.
  func noteMissing(_ differences: FolderDifferences) throws {
    for var file in differences.missing where missing.contains(file.path) {
      // A file without an item is no loss.
      guard file.uuid != nil else {
        try mirror.removeFile(file.path)
        continue
      }
      file.goneSince = seconds
      try mirror.update(file)
    }
    for var list in differences.missingLists {
      list.goneSince = seconds
      try mirror.put(list)
    }
  }

  /// Notes that a to-do is missing, since its file has other content now. A change of the to-do gets another file.
  func keepMissing(_ uuid: UUID, of file: Mirror.File) throws {
    let path = "\(file.folder)/\(UUID().uuidString.lowercased()).ics"
    let bytes = try mirror.bytes(of: file.path)
    try mirror.removeFile(file.path)
    try mirror.put(Mirror.File(path: path, uuid: uuid, goneSince: seconds), bytes: bytes)
  }

  /// Guards files that vanished with many others, and removes those that count as deleted.
  ///
  /// - Parameter accepting: whether everything that vanished counts as deleted.
  mutating func endVanished(_ listing: FolderListing, accepting: Bool) throws {
    let found = Set(listing.lists.map(\.folder))
    let missing = try mirror.lists().filter { !found.contains($0.folder) && !listing.unusable.contains($0.folder) }
    for vanished in try mirror.vanished(besides: listing, missing: Set(missing.map(\.folder))) {
      for file in vanished.newlyGuarded { try mirror.setGuarded(file.path) }
      for file in accepting ? vanished.files : vanished.deleted(at: seconds) {
        if let uuid = try mirror.file(at: file.path)?.uuid { try removeItem(uuid) }
        for uuid in try mirror.apart(at: file.path) {
          try removeItem(uuid)
          try mirror.removeApart(uuid)
        }
        try mirror.removeFile(file.path)
        if file.isOpen, !accepting { try mirror.noteDeleted(from: vanished.folder, since: file.since) }
        changedSince = min(changedSince ?? .max, seconds)
        deleted += 1
      }
    }
    for list in missing where try accepting ? mirror.isEmpty(list) : mirror.isDeleted(list, at: seconds) {
      try transaction.deleteList(id: list.listID)
      try mirror.removeList(list.folder)
    }
    try mirror.forgetVanished(at: seconds)
  }

  /// Notes the faults of files for the log and for commands, and when files changed.
  func tell(_ listing: FolderListing) throws {
    try mirror.forgetLost(now: seconds)
    try mirror.setEditFaults(
      FolderFaults.sentences(listing, mirror, root: root, now: seconds), notes: mirror.notes(root: root))
    let last = try mirror.note(Self.scannedAt) ?? seconds
    // Nothing from before the last scan is new, whatever the times of files are. What earlier scans found may still
    // have to be planned.
    let edited = max(changedSince ?? seconds, last)
    let earlier = try mirror.note("edited_at")
    try mirror.setEditedItems(earlier == nil ? [] : transaction.editedItems())
    try mirror.set("edited_at", min(seconds, edited, earlier ?? .max))
    try mirror.set(Self.scannedAt, seconds)
  }

  /// Notes the first scan if it found nothing. Without it, everything that the next one finds would count as new only
  /// then.
  func noteFirst() throws {
    if try mirror.note(Self.scannedAt) == nil { try mirror.set(Self.scannedAt, seconds) }
  }

  private static let scannedAt = "vdir_scanned_at"
}
