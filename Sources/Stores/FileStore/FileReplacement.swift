import FoundationEssentials
import Glibc
import MemoryStore

/// Puts a new content in a file's place, all or nothing, and keeps the one before.
///
/// Only the holder of the write lock may do this.
struct FileReplacement {
  let place: FilePlace
  let failures: FileFailures

  /// Writes the new content beside the file, syncs it, and renames it into place once the present one is kept as the
  /// backup.
  ///
  /// - Parameters:
  ///   - present: the file as it was read; nil where there is none yet.
  ///   - undo: how to undo the change, if it says so. What undoes the change before stays where this one fails.
  /// - Returns: the new file.
  /// - Throws: ``BelfryError``; the present file is then in place.
  func replace(_ present: FileContent?, with bytes: [UInt8], undo: UndoKeeping?) throws -> FileContent {
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
        try syncFolder(hadFile: present != nil)
      }
      return next
    } catch {
      removeLitter()
      throw error
    }
  }

  // What undoes a change comes before the change: whoever undoes sees whether it was made.
  private func exchange(_ undo: UndoKeeping?, like present: FileStatus?, while change: () throws -> Void) throws {
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

  /// Removes what a killed program left.
  func removeLitter() {
    for path in place.litter { unlink(path) }
  }

  private func draft(_ bytes: [UInt8], like present: FileStatus?) throws -> FileContent {
    let descriptor = open(place.draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    try check(descriptor, at: place.draft)
    defer { close(descriptor) }
    if let present { try takeOver(present, descriptor) }
    let code = FileContent.write(bytes, to: descriptor)
    guard code == 0 else { throw failures.cannotWrite(code) }
    // A failed sync must not be tried again: the kernel may have forgotten what it could not write.
    try check(fsync(descriptor))
    return try FileContent(bytes, written: descriptor, failures)
  }

  // Another user of the same group may change the file and cannot give it away: then it is theirs, in the same group.
  private func takeOver(_ present: FileStatus, _ descriptor: Int32) throws {
    var status = stat()
    try check(fstat(descriptor, &status))
    if status.st_uid != present.owner || status.st_gid != present.group,
      fchown(descriptor, present.owner, present.group) != 0, status.st_gid != present.group
    {
      try check(fchown(descriptor, uid_t.max, present.group))
    }
    try check(fchmod(descriptor, present.mode))
  }

  // The backup is a second name of the present file, so it costs nothing and is whole at every moment.
  private func keepBackup() throws {
    if link(place.file, place.outgoing) != 0 {
      // A file system without hard links keeps no backup; the change itself is as safe as ever.
      guard errno != EPERM, errno != EOPNOTSUPP, errno != EMLINK else { return }
      throw failures.cannotWrite(errno, at: place.outgoing)
    }
    try check(rename(place.outgoing, place.backup), at: place.backup)
    // Where both were names of one file already, renaming has left both.
    unlink(place.outgoing)
  }

  // A change that may not outlive a power cut is undone: an error must leave the file as it was.
  private func syncFolder(hadFile: Bool) throws {
    let descriptor = open(place.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // Some network file systems have no sync for folders, and say so with EINVAL.
    let isSynced = descriptor >= 0 && (fsync(descriptor) == 0 || errno == EINVAL)
    let code = errno
    if descriptor >= 0 { close(descriptor) }
    if isSynced { return }
    if !hadFile {
      unlink(place.file)
    } else if link(place.backup, place.outgoing) == 0 {
      rename(place.outgoing, place.file)
    }
    throw failures.cannotWrite(code)
  }

  private func check(_ result: Int32, at obstacle: String? = nil) throws {
    if result < 0 { throw failures.cannotWrite(errno, at: obstacle) }
  }
}
