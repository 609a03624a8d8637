import BelfryEngine
import BelfryModel
import CLinuxEvents
import CSQLite
import Glibc
import SQLRecords
import SystemFiles

/// Replaces a database with a copy. The replaced database and its log are kept next to it under another name.
struct SQLiteRestoration {
  let place: SQLitePlace

  private var failures: SQLiteFailures { place.failures }

  /// Restores a copy, or the last good one.
  ///
  /// - Throws: as ``RestorableStore/restore(from:continuing:)``.
  func run(
    from given: String?, continuing: (any StoreTransaction, StoreRemains) throws -> Void
  ) throws -> Restoration {
    let lock = try FileLock(path: place.daemonLock, purpose: place.named, sharedLike: place.file)
    // The next daemon must still learn that the last one was killed.
    defer { if lock.wasAbandoned { lock.abandon() } else { lock.release() } }
    guard let copy = given ?? place.backup.newest, access(copy, F_OK) == 0 else {
      throw Restoration.noCopy(given, of: place.named)
    }
    let draft = "\(place.file).restored"
    var present = stat()
    let hasPresent = stat(place.file, &present) == 0
    defer { SQLiteDraft.remove(draft) }
    try place.backup.make(from: open(copy), at: draft)
    let remains = SQLiteRemains(place: place).read()
    try change(draft, of: copy) { try continuing($0, remains) }
    if hasPresent {
      _ = chown(draft, present.st_uid, present.st_gid)
      _ = chmod(draft, present.st_mode & 0o7777)
    }
    let replaced = try setAside()
    guard belfry_rename_to_free_name(draft, place.file) == 0 else {
      throw failures.cannotCreate("cannot put \(draft) in the place of \(place.file)", errno)
    }
    try failures.making(place.file) { () throws(SystemCallFailure) in try OpenFile.sync(folder: place.folder) }
    return Restoration(copy: copy, replaced: replaced, remains)
  }

  private func change(_ draft: String, of copy: String, _ body: (any StoreTransaction) throws -> Void) throws {
    do {
      let database = try Database(path: draft, SQLITE_OPEN_READWRITE)
      defer { database.close() }
      try SQLiteFile.migrate(database)
      try SQLiteTransaction.run("BEGIN IMMEDIATE", in: database, body)
    } catch let error as SQLiteError where [SQLITE_ERROR, SQLITE_CORRUPT].contains(error.primaryCode) {
      throw Restoration.unfit(copy, error.message)
    } catch let fault as StoredValueFault {
      throw Restoration.unfit(copy, fault.message)
    }
    try failures.making(draft) { () throws(SystemCallFailure) in try OpenFile.sync(file: draft) }
  }

  // A copy with a log beside it is complete only with that log.
  private func open(_ copy: String) throws -> Database {
    do {
      let place = try SQLitePlace(copy)
      guard try place.stamp() != nil else { throw Restoration.noCopy(copy, of: self.place.named) }
      let database =
        try place.logSize > 0
        ? Database(path: place.file, SQLITE_OPEN_READWRITE)
        : Database(path: SQLiteFile.unlockedName(place.file), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
      guard try database.value(of: "PRAGMA application_id") == Int64(Schema.applicationID) else {
        throw Restoration.unfit(copy, "it is not a store of Belfry")
      }
      let finding: String? = try database.value(of: "PRAGMA integrity_check(1)")
      guard finding == "ok" else {
        throw Restoration.unfit(copy, "it is damaged: \(finding ?? "it cannot be checked")")
      }
      let version = try SQLiteFile.version(of: database)
      guard version <= Schema.version else {
        throw Restoration.unfit(copy, "it was written by a newer Belfry (version \(version))")
      }
      return database
    } catch let error as SQLiteError {
      throw Restoration.unfit(copy, error.message)
    } catch let fault as StoredValueFault {
      throw Restoration.unfit(copy, fault.message)
    }
  }

  // The log is moved with its database, since next to the copy, SQLite would apply it to the copy.
  private func setAside() throws -> String? {
    let suffixes = [""] + SQLitePlace.suffixes
    let name = Restoration.name(beside: place.file) { name in
      suffixes.contains { access(name + $0, F_OK) == 0 }
    }
    var isUsed = false
    for suffix in suffixes {
      guard rename(place.file + suffix, name + suffix) == 0 else {
        guard errno == ENOENT else {
          throw failures.cannotCreate("cannot rename \(place.file + suffix)", errno)
        }
        continue
      }
      isUsed = true
    }
    return isUsed ? name : nil
  }
}
