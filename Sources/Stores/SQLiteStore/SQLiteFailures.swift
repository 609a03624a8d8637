import BelfryEngine
import BelfryModel
import CSQLite
import FoundationEssentials
import Glibc
import SQLRecords
import SystemFiles

/// Turns SQLite's errors into Belfry's.
struct SQLiteFailures {
  let place: SQLitePlace

  private var path: String { place.named }

  func translated<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw translate(error)
    } catch let fault as StoredValueFault {
      throw damaged(fault.message)
    }
  }

  private func translate(_ error: SQLiteError) -> BelfryError {
    let detail = error.message
    switch error.primaryCode {
    // SQLITE_PROTOCOL is the result of too many attempts at a lock.
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
      return BelfryError(
        .tryAgain, "\(path) is locked by another program", hint: "nothing was changed; try again in a moment")
    case SQLITE_FULL: return full
    // SQLite makes the index of the log in a way that hides why it failed.
    case SQLITE_IOERR where isFull: return full
    case SQLITE_IOERR, SQLITE_ABORT, SQLITE_NOMEM:
      return BelfryError(
        .storeFailed, "\(path): \(detail)", hint: "nothing was changed; check the disk, then try again")
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      return BelfryError(
        .noPermission, "\(path) cannot be written: \(detail)", hint: "check who owns the file and its folder")
    case SQLITE_CANTOPEN:
      return cannotOpen(access(place.folder, W_OK) == 0 ? ENOENT : EACCES, detail)
    case SQLITE_TOOBIG:
      return BelfryError(.badInput, "the text is too long for SQLite", hint: "shorten it")
    case SQLITE_MISUSE, SQLITE_RANGE:
      return BelfryError(
        .internalError, "\(path): SQLite said: \(detail) (\(error.code))",
        hint: "this is a bug in Belfry; nothing was changed")
    // A statement that fails on tables made by Belfry would fail in every store, so these were changed by another
    // program.
    default:
      return damaged(detail)
    }
  }

  private var full: BelfryError {
    BelfryError(.storeFailed, "\(path): the disk is full", hint: "nothing was changed; free some space and try again")
  }

  private var isFull: Bool {
    var disk = statvfs()
    return statvfs(place.folder, &disk) == 0 && disk.f_bavail == 0
  }

  /// The error of a file that is not a valid store.
  func damaged(_ detail: String) -> BelfryError {
    let advice = Restoration.advice(place.backup.newest)
    return BelfryError(.storeFailed, "\(path) is damaged: \(detail)", hint: "the file was left as it is; \(advice)")
  }

  /// The error of a missing database that has left its log or a copy.
  func gone(copy: String?) -> BelfryError {
    let log =
      place.logSize > 0
      ? "; its write-ahead log \(place.log) still holds changes that the database did not have yet" : ""
    let left = place.beside(["-wal", "-shm"]) + [copy].compactMap(\.self)
    let anew = left.isEmpty ? nil : "to start with an empty store, move away \(left.joined(separator: ", "))"
    let advice = ["put it back where it was", copy.map(Restoration.advice), anew].compactMap(\.self)
    return BelfryError(.storeFailed, "\(path) is gone\(log)", hint: advice.joined(separator: "; "))
  }

  /// The error of an intact file with another file's log beside it.
  func foreignLog() -> BelfryError {
    let commands = place.beside(["-wal", "-shm"]).map { Self.move($0, to: $0 + ".other") }
    return BelfryError(
      .storeFailed, "\(path) is beside the write-ahead log of another database: \(place.log)",
      hint: "both were left as they are; to use the file without the log: \(inFolder(commands))")
  }

  private func inFolder(_ commands: [String]) -> String {
    "(" + (["cd \(place.folder.shellQuoted)"] + commands).joined(separator: " && ") + ")"
  }

  private static func move(_ old: String, to new: String) -> String { "mv \(word(old)) \(word(new))" }

  // The last component of a path, quoted for a shell, with `./` before a name that commands would take for an option.
  private static func word(_ path: String) -> String {
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.index(after: $0)...]) } ?? path
    return (name.hasPrefix("-") ? "./" + name : name).shellQuoted
  }

  func cannotOpen(_ code: Int32, _ detail: String? = nil) -> BelfryError {
    let reason = detail ?? String(cString: strerror(code))
    switch code {
    case EACCES, EPERM, EROFS:
      return BelfryError(
        .noPermission, "\(path) cannot be opened: \(reason)", hint: "check who owns the file and its folder")
    case EIO:
      return BelfryError(.storeFailed, "\(path) cannot be read: \(reason)", hint: "check the disk, then try again")
    default:
      return BelfryError(.storeFailed, "\(path) cannot be opened: \(reason)", hint: "check the path in the config")
    }
  }

  /// The error of a path that is not a regular file.
  func notAFile() -> BelfryError {
    BelfryError(
      .storeFailed, "\(path) is not a regular file", hint: "name another path in the config; nothing was changed")
  }

  /// The error of a log that must be read by a user who cannot create the file which that needs.
  func sealed() -> BelfryError {
    BelfryError(
      .noPermission,
      "\(path) cannot be read here: SQLite has to make \(place.logIndex) beside it, and the folder may not be written to",
      hint: "read it as its owner, or copy the file and its -wal to a folder of your own")
  }

  /// The error of a file that was changed while it was read without a lock.
  func changedMeanwhile() -> BelfryError {
    BelfryError(.tryAgain, "\(path) was changed while it was read", hint: "try again")
  }

  /// Makes a file, and translates the failure of a system call.
  func making(_ path: String, _ body: () throws(SystemCallFailure) -> Void) throws {
    do throws(SystemCallFailure) { try body() } catch { throw cannotCreate("cannot make \(path)", error.code) }
  }

  func cannotCreate(_ what: String, _ code: Int32) -> BelfryError {
    let reason = String(cString: strerror(code))
    switch code {
    case EACCES, EPERM, EROFS:
      return BelfryError(.noPermission, "\(what): \(reason)", hint: "check who owns the folder")
    case ENOSPC, EDQUOT, EIO:
      return BelfryError(.storeFailed, "\(what): \(reason)", hint: "free some space and try again")
    default:
      return BelfryError(.cannotCreate, "\(what): \(reason)", hint: "check the path in the config")
    }
  }
}
