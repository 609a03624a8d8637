import BelfryEngine
import FoundationEssentials
import Glibc
import MemoryStore
import SystemFiles

/// Replaces a file atomically and keeps the previous version.
///
/// Use it only under the write lock.
struct FileReplacement {
  let place: FilePlace
  let failures: FileFailures

  /// Writes the new content next to the file, syncs it, keeps the current file as the backup, and renames the new one
  /// into place.
  ///
  /// - Parameters:
  ///   - present: the file as it was read; `nil` if there is none yet.
  ///   - undo: the undo records to keep, if the change sets them. If the change fails, the previous ones stay.
  /// - Returns: the new file.
  /// - Throws: ``BelfryError``; the current file is then unchanged.
  func replace(_ present: FileContent?, with bytes: [UInt8], undo: UndoTrail?) throws -> FileContent {
    if present != nil, faccessat(AT_FDCWD, place.file, W_OK, AT_EACCESS) != 0 {
      throw errno == ENOENT ? failures.changedMeanwhile() : failures.cannotWrite(errno)
    }
    removeLitter()
    do {
      let next = try draft(bytes, like: present?.status)
      guard try FileContent(reading: place.file, failures)?.digest == present?.digest else {
        throw failures.changedMeanwhile()
      }
      if present != nil { try keepBackup() }
      try exchange(undo, like: present?.status) {
        try check(rename(place.draft, place.file))
        try syncFolder { takeBackChange(hadFile: present != nil) }
      }
      return next
    } catch {
      removeLitter()
      throw error
    }
  }

  /// Replaces the file's content, and keeps the file under another name; the backup stays.
  ///
  /// - Returns: that name; `nil` if there was no file.
  func restore(_ bytes: [UInt8], over present: FileStatus?) throws -> String? {
    removeLitter()
    do {
      _ = try draft(bytes, like: present)
      let name = Restoration.name(beside: place.file) { access($0, F_OK) == 0 }
      // Without hard links the file is missing for a moment.
      if present != nil, link(place.file, name) != 0 { try check(rename(place.file, name), at: name) }
      try check(rename(place.draft, place.file))
      try syncFolder { if present == nil { unlink(place.file) } else { rename(name, place.file) } }
      return present == nil ? nil : name
    } catch {
      removeLitter()
      throw error
    }
  }

  // The undo record is written before the change. A reader compares it with the store, so a record of a change that was
  // never made does no harm.
  private func exchange(_ undo: UndoTrail?, like present: FileStatus?, while change: () throws -> Void) throws {
    guard let undo else { return try change() }
    let file = UndoFile(place: place)
    file.exchange(for: undo, mode: present?.mode ?? 0o600)
    do {
      try change()
    } catch {
      file.takeBack()
      throw error
    }
    file.settle()
  }

  /// Removes the files that a killed program left behind.
  func removeLitter() {
    for path in place.litter { unlink(path) }
  }

  private func draft(_ bytes: [UInt8], like present: FileStatus?) throws -> FileContent {
    do throws(SystemCallFailure) {
      try FileDraft(place.draft).write(bytes, isSynced: true) { descriptor throws(SystemCallFailure) in
        if let present { try takeOver(present, descriptor) }
      }
    } catch {
      throw failures.cannotWrite(error.code, at: place.draft)
    }
    return try FileContent(bytes, written: place.draft, failures)
  }

  // Without the right to give the file back to its owner, it becomes this user's, in the same group.
  private func takeOver(_ present: FileStatus, _ descriptor: Int32) throws(SystemCallFailure) {
    var status = stat()
    try SystemCallFailure.check(fstat(descriptor, &status))
    if status.st_uid != present.owner || status.st_gid != present.group,
      fchown(descriptor, present.owner, present.group) != 0, status.st_gid != present.group
    {
      try SystemCallFailure.check(fchown(descriptor, uid_t.max, present.group))
    }
    try SystemCallFailure.check(fchmod(descriptor, present.mode))
  }

  // The backup is a hard link to the current file, so it costs nothing and is always complete.
  private func keepBackup() throws {
    if link(place.file, place.outgoing) != 0 {
      // Without hard links there is no backup; the change itself is as safe as before.
      guard errno != EPERM, errno != EOPNOTSUPP, errno != EMLINK else { return }
      throw failures.cannotWrite(errno, at: place.outgoing)
    }
    try check(rename(place.outgoing, place.backup), at: place.backup)
    // If both names were links to one file, the rename has left both.
    unlink(place.outgoing)
  }

  // A change that might not survive a power cut is undone, since after an error the file must be unchanged.
  private func syncFolder(orElse takeBack: () -> Void) throws {
    do throws(SystemCallFailure) {
      try OpenFile.sync(folder: place.folder)
    } catch {
      takeBack()
      throw failures.cannotWrite(error.code)
    }
  }

  private func takeBackChange(hadFile: Bool) {
    if !hadFile {
      unlink(place.file)
    } else if link(place.backup, place.outgoing) == 0 {
      rename(place.outgoing, place.file)
    }
  }

  private func check(_ result: Int32, at obstacle: String? = nil) throws {
    if result < 0 { throw failures.cannotWrite(errno, at: obstacle) }
  }
}
