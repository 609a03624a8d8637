import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import Glibc
import MemoryStore
import Synchronization

/// A store in one file that is read and replaced as a whole.
///
/// A change replaces the file under a lock shared by commands and the daemon. Reading takes no lock, since the file is
/// complete at any time. The content is cached while the file's bytes stay the same.
package final class FileStore: RestorableStore {
  private struct Document: Sendable {
    let file: FileContent
    var content: StoreContent
    /// True if the last change wrote it and it has not been read since.
    var isNew = false
  }

  // Each change writes the whole file, so its time grows with the number of items.
  private static let suitableItems = 10_000

  private let path: String
  private let format: any StoreFormat
  private let lockTimeout: Double
  private let remembered = Mutex<Document?>(nil)
  private let counted = Mutex(ChangeCount())

  /// A store at this path. Opens nothing yet.
  ///
  /// - Parameter lockTimeout: the longest wait for the write lock, in seconds.
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
    let document = try newDocument(place) ?? document(place)
    return try body(
      transaction(on: document?.content, at: place) { document.flatMap { self.lastEdit($0.file, at: place) } })
  }

  /// Makes one change; see ``ItemStore``.
  package func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try changing { document, place, lock in
      let file = document?.file
      let layout = document?.content.layout ?? StoreLayout()
      let edited = file.flatMap { lastEdit($0, at: place) }
      let transaction = transaction(on: document?.content, at: place) { edited }
      // The transaction is now the only owner of the state, which avoids a copy.
      document = nil
      let result = try body(transaction)
      // An edit that was not planned yet must still count as one after this change.
      let isPlanned = edited == nil || transaction.hasAcknowledgedEdits
      guard !transaction.changes.isEmpty else {
        if let undo = transaction.undo { UndoFile(place: place).write(undo, mode: file?.status.mode ?? 0o600) }
        if let file, edited != nil, isPlanned { lock.note(file) }
        document = file.map { Document(file: $0, content: content(transaction, layout)) }
        return result
      }
      let written = try format.write(transaction.state, changes: transaction.changes, over: layout)
      let next = try FileReplacement(place: place, failures: failures)
        .replace(file, with: written.file, undo: transaction.undo)
      if isPlanned { lock.note(next) }
      document = Document(file: next, content: content(transaction, written.layout), isNew: true)
      return result
    }
  }

  /// The file, with symbolic links resolved; see ``ItemStore``.
  package var watchedFile: String? { try? FilePlace(path).file }

  /// True if the file is not the one that was last read or written; see ``ItemStore``.
  package func wasChangedElsewhere() throws -> Bool {
    let status = try FileStatus(of: FilePlace(path).file, failures)
    return remembered.withLock { $0?.file.status } != status
  }

  /// The number of changes by this store, plus the replacements of its file by others that it noticed; see
  /// ``ItemStore``.
  package func changeCount() throws -> Int64? {
    let status = try FileStatus(of: FilePlace(path).file, failures)
    return counted.withLock { $0.count(finding: status) }
  }

  /// Makes the caller the store's only daemon; see ``ItemStore``.
  package func lockForDaemon() throws -> any DaemonLock {
    let place = try FilePlace(path)
    try place.makeFolder()
    return try FileLock(path: place.daemonLock, purpose: path, sharedLike: place.file)
  }

  /// Removes the files that a killed program left behind; see ``ItemStore``.
  package func tidy() throws {
    let place = try FilePlace(path)
    guard place.litter.contains(where: { (path: String) in access(path, F_OK) == 0 }) else { return }
    try changing { _, place, _ in FileReplacement(place: place, failures: failures).removeLitter() }
  }

  /// Puts a copy in the place of the file; see ``RestorableStore``.
  package func restore(
    from copy: String?, continuing: (any StoreTransaction, StoreRemains) throws -> Void
  ) throws -> Restoration {
    let place = try FilePlace(path)
    try place.makeFolder()
    let daemon = try FileLock(path: place.daemonLock, purpose: path, sharedLike: place.file)
    // The next daemon must still learn that the last one was killed.
    defer { if daemon.wasAbandoned { daemon.abandon() } else { daemon.release() } }
    let present = try FileStatus(of: place.file, failures)
    let lock = try WriteLock(place, like: present, waiting: lockTimeout, failures)
    defer { lock.release() }
    let restoration = try FileRestoration(place: place, format: format, failures: failures)
      .run(from: copy, over: present, continuing: continuing)
    remembered.withLock { $0 = nil }
    return restoration
  }

  /// The version, size and last write; see ``ItemStore``.
  package func info() throws -> StoreInfo {
    let place = try FilePlace(path)
    guard let file = try document(place)?.file else { return StoreInfo() }
    return StoreInfo(
      version: Int(StoreHead.version), sizeBytes: Int64(file.bytes.count), lastWrite: file.status.modified,
      backup: goodCopy(place) == nil ? nil : place.backup, suitableItems: Self.suitableItems)
  }

  /// Reads the file again, and throws if it is invalid. Returns no damage, since a file that can be read is complete;
  /// see ``ItemStore``.
  package func damage() throws -> [String] {
    // The cache is dropped, to check the bytes on disk.
    remembered.withLock { $0 = nil }
    _ = try document(FilePlace(path))
    return []
  }

  private var failures: FileFailures { FileFailures(path: path) }

  // Runs `body` under the write lock. The resulting document is cached; after an error none is.
  private func changing<Result>(_ body: (inout Document?, FilePlace, WriteLock) throws -> Result) throws -> Result {
    let place = try FilePlace(path)
    try place.makeFolder()
    let model = try FileStatus(of: place.file, failures)
    let lock = try WriteLock(place, like: model, waiting: lockTimeout, failures)
    defer { lock.release() }
    var document = try document(place)
    remembered.withLock { $0 = nil }
    // Under the lock, so that the replacement that follows is this store's own.
    counted.withLock { _ = $0.count(finding: document?.file.status) }
    let result = try body(&document, place, lock)
    let left = document
    remembered.withLock { $0 = left }
    counted.withLock { $0.change(to: left?.file.status) }
    return result
  }

  private func transaction(
    on content: StoreContent?, at place: FilePlace, edited: @escaping () -> Date?
  ) -> StateTransaction {
    StateTransaction(
      state: content?.state ?? StoreState(), indexes: content?.indexes ?? StateIndexes(), edited: edited,
      storedUndo: { UndoFile(place: place).read() })
  }

  private func content(_ transaction: StateTransaction, _ layout: StoreLayout) -> StoreContent {
    StoreContent(state: transaction.state, indexes: transaction.indexes, layout: layout)
  }

  // The time of an edit by another program, by the file's modification time, but not before Belfry's own last change.
  private func lastEdit(_ file: FileContent, at place: FilePlace) -> Date? {
    guard let note = WriteLock.note(at: place) else { return file.status.changed }
    return note.digest == file.digest ? nil : max(file.status.changed, note.changed)
  }

  // The document just written by this process, for the first read after a change, so that a disk that fails now does
  // not make the change look refused. An edit that did not change the metadata is noticed by the following read.
  private func newDocument(_ place: FilePlace) throws -> Document? {
    let status = try FileStatus(of: place.file, failures)
    return remembered.withLock { known in
      guard let document = known, document.isNew, document.file.status == status else { return nil }
      known?.isNew = false
      return document
    }
  }

  // The document at the path. A missing file whose backup exists is an error, not a new store, since it would read as
  // empty, and the second change would overwrite the backup.
  private func document(_ place: FilePlace) throws -> Document? {
    guard let file = try FileContent(reading: place.file, failures) else {
      if let copy = goodCopy(place) { throw failures.gone(copy: copy) }
      return nil
    }
    let known = remembered.withLock { $0 }
    if let known, known.file.digest == file.digest { return Document(file: file, content: known.content) }
    let document = Document(file: file, content: try content(of: file, place))
    remembered.withLock { $0 = document }
    return document
  }

  private func content(of file: FileContent, _ place: FilePlace) throws -> StoreContent {
    do {
      return try format.read(file.bytes, writtenAt: file.status.modified)
    } catch {
      if case .newer(let version) = error.reason { throw failures.newer(version, known: StoreHead.version) }
      throw failures.damaged(
        error.message, at: format.position(of: error.offset, in: file.bytes), copy: goodCopy(place))
    }
  }

  // The path of the backup with its size and date, if it can be read.
  private func goodCopy(_ place: FilePlace) -> String? {
    guard let file = try? FileContent(reading: place.backup, failures),
      let content = try? format.read(file.bytes, writtenAt: file.status.modified)
    else { return nil }
    let items = BelfryModel.counted(content.state.items.count, "item")
    return "\(place.backup) (\(items), of \(Zone.utc.rfc3339(file.status.modified)))"
  }
}

/// The count of a file's changes.
private struct ChangeCount {
  private var changes: Int64 = 0
  private var status: FileStatus?

  /// Counts a change by others if the file is not the one that was last seen.
  mutating func count(finding status: FileStatus?) -> Int64 {
    if status != self.status { (changes, self.status) = (changes + 1, status) }
    return changes
  }

  /// Counts a change by this store.
  mutating func change(to status: FileStatus?) { (changes, self.status) = (changes + 1, status) }
}
