import CLinuxEvents
import Glibc
import SystemFiles

/// Makes a change of one file, unless another program changed it first.
///
/// The new content replaces the file in one step, and the old content is compared with the expected one. If another
/// program changed the file in between, its content is put back.
struct FileChange {
  /// The result of a change.
  enum Outcome {
    /// The file is as intended.
    case made
    /// The file has neither the old nor the new content, and was left alone.
    case conflict
  }

  let intent: Mirror.Intent
  let root: String
  let failures: VdirFailures
  var observer: StepObserver?

  private var path: String { "\(root)/\(intent.path)" }
  private var folder: String { SymbolicLinks.folder(of: path) }
  // The vdir format tells readers to ignore names that end in `.tmp`.
  private var draft: FileDraft { FileDraft("\(folder)/.belfry-\(intent.id).tmp") }

  /// Writes the new content beside the file, so that a full disk refuses the change before it counts.
  ///
  /// - Parameter isSynced: whether to wait for the disk.
  /// - Returns: the folder that had to be made for it; `nil` for none.
  /// - Throws: ``BelfryError``.
  @discardableResult
  func stage(isSynced: Bool) throws -> String? {
    guard let new = intent.new else {
      // A change that was killed before its commit may have left a draft under this number. It was not exchanged with
      // the file yet, so it holds no content of the file.
      draft.remove()
      return nil
    }
    let isNew = mkdir(folder, 0o700) == 0
    guard isNew || errno == EEXIST else { throw failures.cannotMake(folder, errno) }
    var status = stat()
    let mode = lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0o600
    do throws(SystemCallFailure) {
      try draft.write(new, isSynced: isSynced) { descriptor in fchmod(descriptor, mode) }
    } catch {
      if isNew { rmdir(folder) }
      throw failures.cannotWrite(draft.path, error.code)
    }
    observer?(.drafted)
    return isNew ? folder : nil
  }

  /// Removes the result of ``stage(isSynced:)``, except its folder.
  func unstage() { draft.remove() }

  /// Makes the change, staged or not. The draft is checked first: after a crash it may hold the old content, which
  /// another program may have written.
  ///
  /// - Throws: ``BelfryError``; then the file is as it was.
  func make() throws -> Outcome {
    guard try isOwn(content(draft.path)) else { return try putBack() }
    let present = try content(path)
    if present == intent.new {
      draft.remove()
      if intent.new == nil { removeFolder() }
      return .made
    }
    // A file that another program has removed is written again, so that no change is lost.
    guard present == intent.old || present == nil else {
      draft.remove()
      return .conflict
    }
    guard intent.new != nil else { return try remove() }
    if try content(draft.path) != intent.new { try stage(isSynced: true) }
    return try present == nil ? add() : exchange()
  }

  private func add() throws -> Outcome {
    guard belfry_rename_to_free_name(draft.path, path) != 0 else {
      observer?(.exchanged)
      return .made
    }
    if errno == EINVAL || errno == ENOSYS, rename(draft.path, path) == 0 { return .made }
    let code = errno
    draft.remove()
    guard code == EEXIST else { throw failures.cannotWrite(path, code) }
    return .conflict
  }

  private func exchange() throws -> Outcome {
    guard belfry_exchange_files(draft.path, path) == 0 else {
      // Some file systems cannot exchange; there a change in the last moment is lost.
      if errno == EINVAL || errno == ENOSYS, rename(draft.path, path) == 0 { return .made }
      let code = errno
      // Another program has removed it since it was read.
      if code == ENOENT { return try add() }
      draft.remove()
      throw failures.cannotWrite(path, code)
    }
    observer?(.exchanged)
    guard try content(draft.path) == intent.old else { return try putBack() }
    observer?(.compared)
    draft.remove()
    observer?(.cleared)
    return .made
  }

  private func remove() throws -> Outcome {
    guard rename(path, draft.path) == 0 else {
      guard errno == ENOENT else { throw failures.cannotWrite(path, errno) }
      return .made
    }
    observer?(.exchanged)
    guard try content(draft.path) == intent.old else { return try putBack() }
    observer?(.compared)
    draft.remove()
    observer?(.cleared)
    removeFolder()
    return .made
  }

  // A draft that was cut off while it was written holds a prefix of the new content.
  private func isOwn(_ content: [UInt8]?) -> Bool {
    guard let content, content != intent.old else { return true }
    return intent.new?.starts(with: content) ?? false
  }

  // Restores the content of another program from the draft. If the file was written again meanwhile, the later content
  // stays, and the earlier one is kept beside it.
  private func putBack() throws -> Outcome {
    if let new = intent.new, try content(path) == new {
      guard belfry_exchange_files(draft.path, path) == 0 || errno == ENOENT else {
        throw failures.cannotWrite(path, errno)
      }
    }
    if try isOwn(content(draft.path)) {
      draft.remove()
    } else if belfry_rename_to_free_name(draft.path, path) != 0 {
      try keep()
    }
    return .conflict
  }

  private func keep() throws {
    for number in 1... {
      let kept = "\(folder)/\(FolderListing.keptPrefix)\(number)"
      if link(draft.path, kept) == 0 || (errno == EPERM && belfry_rename_to_free_name(draft.path, kept) == 0) { break }
      guard errno == EEXIST else { throw failures.cannotWrite(kept, errno) }
    }
    draft.remove()
  }

  // Removes the folder with the last file of a removed list, unless it holds anything else.
  private func removeFolder() {
    guard intent.path.hasSuffix("/displayname") else { return }
    unlink("\(folder)/color")
    // Drafts of changes that were killed before they counted.
    for name in FolderListing.entries(of: folder) where name.hasPrefix(".belfry-") && name.hasSuffix(".tmp") {
      unlink("\(folder)/\(name)")
    }
    rmdir(folder)
  }

  private func content(_ path: String) throws -> [UInt8]? {
    do {
      return try FileBytes(path).bytes
    } catch  where error.isMissing {
      return nil
    } catch {
      guard error.code == 0 else { throw failures.cannotWrite(path, error.code) }
      // Something else, or larger than Belfry reads: certainly not the expected content.
      return [0]
    }
  }
}
