import BelfryCore
import Foundation
import MemoryStore
import Synchronization

/// A store in one file that is read whole and replaced whole.
///
/// A change reads the file, unless what was read last still stands there, and puts a new one in its place, all under a
/// lock that commands and the daemon share. Reading takes no lock, since the file at the path is whole at every moment,
/// and costs no more than a look at the file's stamp while nobody writes.
package final class FileStore: ItemStore {
  private struct Document {
    let file: OpenedFile
    var content: StoreContent
  }

  private let path: String
  private let format: any StoreFormat
  private let lockTimeout: Double
  private let remembered = Mutex<Document?>(nil)

  /// A store at this path. Opens nothing yet.
  ///
  /// - Parameter lockTimeout: how long a change waits for others before it says "locked", in seconds.
  package init(path: String, format: any StoreFormat, lockTimeout: Double = 10) {
    self.path = path
    self.format = format
    self.lockTimeout = lockTimeout
  }

  /// The path of the file.
  package var location: String { path }

  /// Reads one consistent state; see ``ItemStore``.
  package func read<Result>(_ body: (any StoreView) throws -> Result) throws -> Result {
    let place = try FilePlace(path)
    let document = try current(place)
    return try body(
      StateTransaction(
        state: document?.content.state ?? StoreState(), indexes: document?.content.indexes ?? StateIndexes(),
        isEdited: { document.map { !WriteLock.isNoted($0.file.stamp, at: place) } ?? false },
        storedUndo: { UndoFile(place: place).read() }))
  }

  /// Makes one change; see ``ItemStore``.
  package func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try changing { document, place, lock in
      let isEdited = document.map { !WriteLock.isNoted($0.file.stamp, at: place) } ?? false
      let transaction = StateTransaction(
        state: document?.content.state ?? StoreState(), indexes: document?.content.indexes ?? StateIndexes(),
        isEdited: { isEdited }, storedUndo: { UndoFile(place: place).read() })
      // The transaction is now the only owner of the state, which spares it a copy.
      document?.content.state = StoreState()
      document?.content.indexes = StateIndexes()
      let result = try body(transaction)
      if let undo = transaction.undo {
        UndoFile(place: place).write(undo, mode: document?.file.mode ?? 0o600)
      }
      if transaction.changes.isEmpty {
        document?.content.state = transaction.state
        document?.content.indexes = transaction.indexes
      } else {
        document = try replace(document, with: transaction, at: place)
      }
      // What was edited and not planned yet still counts as edited.
      if !isEdited || transaction.hasAcknowledgedEdits, let stamp = document?.file.stamp { lock.note(stamp) }
      return result
    }
  }

  /// Makes the caller the only daemon of this file; see ``ItemStore``.
  package func lockForDaemon() throws -> any DaemonLock {
    let place = try FilePlace(path)
    try makeFolder(place)
    return try FileLock(path: place.daemonLock, purpose: path)
  }

  /// Removes what a killed program left; see ``ItemStore``.
  package func tidy() throws {
    let place = try FilePlace(path)
    let litter = [place.draft, place.outgoing, place.undoDraft]
    guard litter.contains(where: { (path: String) in access(path, F_OK) == 0 }) else { return }
    try changing { _, place, _ in FileReplacement(place: place, failures: failures).removeLitter() }
  }

  /// The version, size and last write; see ``ItemStore``.
  package func info() throws -> StoreInfo {
    let place = try FilePlace(path)
    guard let file = try current(place)?.file else { return StoreInfo() }
    return StoreInfo(
      version: Int(StoreFileMark.version), sizeBytes: file.stamp.size, lastWrite: file.stamp.modified,
      backup: access(place.backup, F_OK) == 0 ? place.backup : nil)
  }

  /// Nothing below the records: a file that can be read is whole; see ``ItemStore``.
  package func damage() throws -> [String] {
    // From the disk: what is remembered is what was to be there.
    remembered.withLock { $0 = nil }
    _ = try current(FilePlace(path))
    return []
  }

  private var failures: FileFailures { FileFailures(path: path) }

  // Holds the lock while `body` changes what the file says. What it throws leaves nothing remembered.
  private func changing<Result>(_ body: (inout Document?, FilePlace, WriteLock) throws -> Result) throws -> Result {
    let place = try FilePlace(path)
    try makeFolder(place)
    let model = try OpenedFile(reading: place.file, failures)
    let lock = try WriteLock(place, like: model, waiting: lockTimeout, failures)
    defer { lock.release() }
    var document = try current(place)
    remembered.withLock { $0 = nil }
    let result = try body(&document, place, lock)
    let left = document
    remembered.withLock { $0 = left }
    return result
  }

  private func replace(
    _ document: Document?, with transaction: StateTransaction, at place: FilePlace
  ) throws -> Document {
    let layout = document?.content.layout ?? RecordLayout()
    let content = StoreContent(state: transaction.state, indexes: transaction.indexes, layout: layout)
    return try write(content, changes: transaction.changes, over: document?.file, at: place)
  }

  private func write(
    _ content: StoreContent, changes: StateChanges, over file: OpenedFile?, at place: FilePlace
  ) throws -> Document {
    let (bytes, layout) = try format.write(content.state, changes: changes, over: content.layout)
    let next = try FileReplacement(place: place, failures: failures).replace(file, with: bytes)
    var content = content
    content.layout = layout
    return Document(file: next, content: content)
  }

  // What stands at the path now; nil where nothing does.
  private func current(_ place: FilePlace) throws -> Document? {
    let known = remembered.withLock { $0 }
    if let known, try FileStamp.of(place.file, failures) == known.file.stamp { return known }
    guard let file = try OpenedFile(reading: place.file, failures) else { return nil }
    let bytes = try file.contents(failures)
    let document: Document
    do {
      document = Document(file: file, content: try format.read(bytes, writtenAt: file.stamp.modified))
    } catch StoreFault.newer(let version) {
      throw failures.newer(version, known: StoreFileMark.version)
    } catch StoreFault.damaged(let offset, let message) {
      throw failures.damaged(message, at: format.position(of: offset, in: bytes), copy: goodCopy(place))
    }
    remembered.withLock { $0 = document }
    return document
  }

  // The copy before the last change, with what it holds, where it can be read.
  private func goodCopy(_ place: FilePlace) -> String? {
    guard let file = try? OpenedFile(reading: place.backup, failures), let bytes = try? file.contents(failures),
      let content = try? format.read(bytes, writtenAt: file.stamp.modified)
    else { return nil }
    return "\(place.backup) (\(content.state.items.count) items, of \(Zone.utc.rfc3339(file.stamp.modified)))"
  }

  private func makeFolder(_ place: FilePlace) throws {
    // What is there and no folder is told as well; what may not be entered is told when the file is opened.
    if access("\(place.folder)/.", F_OK) == 0 || errno == EACCES { return }
    do {
      try FileManager.default.createDirectory(
        atPath: place.folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw failures.cannotMake(place.folder, errno)
    }
  }
}
