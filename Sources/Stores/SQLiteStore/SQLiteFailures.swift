import BelfryCore
import Foundation
import GRDB

/// SQLite's errors in the words of Belfry's.
struct SQLiteFailures {
  let path: String

  func translated<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw translate(error)
    }
  }

  private func translate(_ error: DatabaseError) -> BelfryError {
    let detail = error.message ?? "\(error.extendedResultCode)"
    switch error.resultCode {
    // "Protocol" is what many tries at a lock end with.
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
      return BelfryError(
        .tryAgain, "\(path) is locked by another program", hint: "nothing was changed; try again in a moment")
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      return damaged(detail)
    case .SQLITE_FULL:
      return BelfryError(
        .storeFailed, "\(path): the disk is full", hint: "nothing was changed; free some space and try again")
    case .SQLITE_IOERR:
      return BelfryError(
        .storeFailed, "\(path): \(detail)", hint: "nothing was changed; check the disk, then try again")
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
      return BelfryError(
        .noPermission, "\(path) cannot be written: \(detail)", hint: "check who owns the file and its folder")
    case .SQLITE_CANTOPEN:
      return cannotOpen(access(folder, W_OK) == 0 ? ENOENT : EACCES, detail)
    case .SQLITE_TOOBIG:
      return BelfryError(.badInput, "the text is too long for SQLite", hint: "shorten it")
    default:
      return BelfryError(
        .internalError, "\(path): SQLite said: \(detail) (\(error.extendedResultCode.rawValue))",
        hint: "this is a bug in Belfry; nothing was changed")
    }
  }

  func damaged(_ detail: String) -> BelfryError {
    let copy = SQLiteBackup(database: path, failures: self).newest
    let advice = copy.map { "the last good copy is \($0)" } ?? "put back a copy that is whole"
    return BelfryError(
      .storeFailed, "\(path) is damaged: \(detail)",
      hint: "the file was left as it is; \(advice), or name another path in the config")
  }

  func cannotOpen(_ code: Int32, _ detail: String? = nil) -> BelfryError {
    let reason = detail ?? String(cString: strerror(code))
    switch code {
    case EACCES, EPERM, EROFS:
      return BelfryError(
        .noPermission, "\(path) cannot be opened: \(reason)", hint: "check who owns the file and its folder")
    default:
      return BelfryError(.storeFailed, "\(path) cannot be opened: \(reason)", hint: "check the path in the config")
    }
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

  private var folder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }
}
