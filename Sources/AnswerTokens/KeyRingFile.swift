import BelfryModel
import FoundationEssentials
import Glibc
import OrderedJSON
import SystemFiles

/// The file of the keys that sign tokens, which daemons of one user may share.
///
/// It is read at each use, so that a rotation takes effect everywhere at once.
package struct KeyRingFile: Sendable {
  package let path: String

  private static let maximumBytes = 65_536

  /// The file at a path, which need not exist.
  package init(path: String) { self.path = path }

  /// The ring in the file; `nil` if there is no file.
  ///
  /// - Throws: ``BelfryError`` `.noPermission`, also if others may read it; `.storeFailed` if it is damaged.
  package func read() throws(BelfryError) -> KeyRing? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw failure("cannot be read", errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("cannot be read", errno) }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.maximumBytes else {
      throw damaged("it is not a key file")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw BelfryError(
        .noPermission, "the key file \(path) may be read by other users",
        hint: "run 'chmod 600 \(path)', and 'belfry keys rotate' if anybody has read it")
    }
    let bytes: [UInt8]
    do throws(SystemCallFailure) {
      bytes = try OpenFile.read(descriptor, upTo: Int(status.st_size))
    } catch {
      throw failure("cannot be read", error.code)
    }
    return try ring(bytes)
  }

  /// Makes a ring of one key at the first use; if another program was faster, its ring is used.
  ///
  /// - Throws: ``BelfryError``, also for a file that exists and cannot be used: it is never replaced.
  package func make(at now: Date) throws(BelfryError) -> KeyRing {
    try change { ring throws(BelfryError) in ring == nil ? .made(at: now) : nil }
  }

  /// Adds a key that signs from now on, and removes the oldest ones once their tokens have expired.
  ///
  /// - Parameters:
  ///   - validFor: the time for which a link must work, in seconds.
  ///   - retryMaxAge: the time for which the most patient sink tries, in seconds.
  /// - Returns: the new ring; a first one if there was no file.
  /// - Throws: ``BelfryError``, `.tryAgain` if 32 keys are still needed.
  package func rotate(at now: Date, validFor: Int, retryMaxAge: Int) throws(BelfryError) -> KeyRing {
    try change { ring throws(BelfryError) in
      try ring?.rotated(at: now, validFor: validFor, retryMaxAge: retryMaxAge) ?? .made(at: now)
    }
  }

  /// The error of a file that is gone while deliveries name its keys.
  package var lost: BelfryError {
    BelfryError(
      .notFound, "the key file \(path) is gone",
      hint: "restore it from a copy, or run 'belfry keys rotate': links sent so far then stop working")
  }

  // Returns the ring unchanged if `body` changes nothing.
  private func change(_ body: (KeyRing?) throws(BelfryError) -> KeyRing?) throws(BelfryError) -> KeyRing {
    guard let file = SymbolicLinks.end(of: path) else { throw failure("cannot be written", ELOOP) }
    if let code = PrivateFolder.make(at: SymbolicLinks.folder(of: file)) { throw failure("cannot be made", code) }
    let lock: KeyRingLock
    do throws(SystemCallFailure) {
      lock = try KeyRingLock(file)
    } catch {
      throw failure("cannot be locked", error.code)
    }
    defer { lock.release() }
    let present = try read()
    guard let next = try body(present) else {
      guard let present else { throw lost }
      return present
    }
    do throws(SystemCallFailure) {
      try lock.replace(with: Array((next.json.serialized(pretty: true) + "\n").utf8))
    } catch {
      throw failure("cannot be written", error.code)
    }
    return next
  }

  private func ring(_ bytes: [UInt8]) throws(BelfryError) -> KeyRing {
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: bytes, maximumDepth: 8)
    } catch {
      throw damaged("line \(error.line), column \(error.column) is not JSON")
    }
    do throws(KeyRingFault) { return try KeyRing(json) } catch { throw damaged(error.message) }
  }

  private func damaged(_ message: String) -> BelfryError {
    BelfryError(
      .storeFailed, "the key file \(path): \(message)",
      hint: "restore it from a copy, or move it away and run 'belfry keys rotate': links sent so far then stop working")
  }

  private func failure(_ what: String, _ code: Int32) -> BelfryError {
    let kind: BelfryError.Kind =
      switch code {
      case EACCES, EPERM, EROFS: .noPermission
      case EWOULDBLOCK: .tryAgain
      case ENOENT, ENOTDIR, ENAMETOOLONG: .cannotCreate
      default: .storeFailed
      }
    let reason = code == EWOULDBLOCK ? "another program changes it" : String(cString: strerror(code))
    return BelfryError(
      kind, "the key file \(path) \(what): \(reason)",
      hint: kind == .tryAgain
        ? "try again in a moment" : "check answers.key_file in the config, and who owns its folder")
  }
}
