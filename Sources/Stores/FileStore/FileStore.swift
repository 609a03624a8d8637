import BelfryCore
import Foundation
import MemoryStore
import Synchronization

/// A store in one file that is replaced whole.
///
/// A change puts a new file in the place of the one there is, all under a lock that commands and the daemon share. Of a
/// file that Belfry itself has written last, a change reads what it needs; any other is read, and looked through for
/// faults, whole. Reading takes no lock, since the file at the path is whole at every moment, and costs no more than a
/// look at the file's stamp while nobody writes.
package final class FileStore: ItemStore {
  private struct Document: Sendable {
    let file: OpenedFile
    var content: StoreContent
  }

  // What was read of the path last, or put there.
  private enum Known: Sendable {
    case nothing
    case whole(Document)
    case written(OpenedFile, FileImage, SectionTable)

    var file: OpenedFile? {
      switch self {
      case .nothing: nil
      case .whole(let document): document.file
      case .written(let file, _, _): file
      }
    }
  }

  // What stands at the path, for one transaction.
  private enum Present {
    case nothing
    case whole(Document)
    case lines(OpenedFile, LinesSource)

    var file: OpenedFile? {
      switch self {
      case .nothing: nil
      case .whole(let document): document.file
      case .lines(let file, _): file
      }
    }
  }

  private let path: String
  private let format: any StoreFormat
  private let lockTimeout: Double
  private let remembered = Mutex(Known.nothing)

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
    let present = try present(place)
    let result = try body(
      transaction(
        on: present, at: place, edited: { present.file.flatMap { self.lastEdit($0.stamp, at: place) } }))
    if case .lines(let file, let source) = present, let content = source.content {
      remembered.withLock { $0 = .whole(Document(file: file, content: content)) }
    }
    return result
  }

  /// Makes one change; see ``ItemStore``.
  package func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try changing { present, left, place, lock in
      let edited = present.file.flatMap { lastEdit($0.stamp, at: place) }
      let transaction = transaction(on: present, at: place, edited: { edited })
      let (file, old) = (present.file, layout(of: present))
      // The transaction is now the only owner of the state, which spares it a copy.
      if case .whole = present { present = .nothing }
      let result = try body(transaction)
      // What was edited and not planned yet still counts as edited.
      let isPlanned = edited == nil || transaction.hasAcknowledgedEdits
      if transaction.changes.isEmpty {
        if let undo = transaction.undo { UndoFile(place: place).write(undo, mode: file?.mode ?? 0o600) }
        if let file, edited != nil, isPlanned { lock.note(file.stamp, nil) }
        if transaction.source == nil, let file { left = .whole(document(file, transaction, old)) }
        return result
      }
      let written = try written(transaction, over: present, old)
      let next = try FileReplacement(place: place, failures: failures)
        .replace(file, with: written.image, undo: transaction.undo)
      if isPlanned { lock.note(next.stamp, written.lines) }
      if transaction.source == nil {
        left = .whole(document(next, transaction, written.layout))
      } else if let sections = written.sections {
        left = .written(next, written.image, sections)
      }
      return result
    }
  }

  /// Makes the caller the only daemon of this file; see ``ItemStore``.
  package func lockForDaemon() throws -> any DaemonLock {
    let place = try FilePlace(path)
    try place.makeFolder()
    return try FileLock(path: place.daemonLock, purpose: path, sharedLike: place.file)
  }

  /// Removes what a killed program left; see ``ItemStore``.
  package func tidy() throws {
    let place = try FilePlace(path)
    guard place.litter.contains(where: { (path: String) in access(path, F_OK) == 0 }) else { return }
    try changing { _, _, place, _ in FileReplacement(place: place, failures: failures).removeLitter() }
  }

  /// The version, size and last write; see ``ItemStore``.
  package func info() throws -> StoreInfo {
    let place = try FilePlace(path)
    guard let file = try whole(place)?.file else { return StoreInfo() }
    return StoreInfo(
      version: Int(StoreFileMark.version), sizeBytes: file.stamp.size, lastWrite: file.stamp.modified,
      backup: goodCopy(place) == nil ? nil : place.backup)
  }

  /// Nothing below the records: a file that can be read is whole; see ``ItemStore``.
  package func damage() throws -> [String] {
    // From the disk: what is remembered is what was to be there.
    remembered.withLock { $0 = .nothing }
    _ = try whole(FilePlace(path))
    return []
  }

  private var failures: FileFailures { FileFailures(path: path) }

  // Holds the lock while `body` changes what stands at the path and says what is known of it then. What it throws leaves
  // nothing remembered.
  private func changing<Result>(
    _ body: (inout Present, inout Known, FilePlace, WriteLock) throws -> Result
  ) throws -> Result {
    let place = try FilePlace(path)
    try place.makeFolder()
    let model = try OpenedFile(reading: place.file, failures)
    let lock = try WriteLock(place, like: model, waiting: lockTimeout, failures)
    defer { lock.release() }
    var present = try present(place)
    remembered.withLock { $0 = .nothing }
    var left = Known.nothing
    let result = try body(&present, &left, place, lock)
    let known = left
    remembered.withLock { $0 = known }
    return result
  }

  private func transaction(
    on present: Present, at place: FilePlace, edited: @escaping () -> Date?
  ) -> StateTransaction {
    let undo = { UndoFile(place: place).read() }
    switch present {
    case .nothing: return StateTransaction(state: StoreState(), edited: edited, storedUndo: undo)
    case .whole(let document):
      return StateTransaction(
        state: document.content.state, indexes: document.content.indexes, edited: edited, storedUndo: undo)
    case .lines(_, let source):
      return StateTransaction(state: source.front, edited: edited, storedUndo: undo, source: source)
    }
  }

  // When somebody else has changed the file, as it says itself: not before Belfry's own last change.
  private func lastEdit(_ stamp: FileStamp, at place: FilePlace) -> Date? {
    guard let noted = WriteLock.noted(at: place) else { return stamp.changed }
    return noted == stamp ? nil : max(stamp.changed, noted.changed)
  }

  private func written(
    _ transaction: StateTransaction, over present: Present, _ old: RecordLayout
  ) throws -> WrittenStore {
    if case .lines(_, let source) = present {
      if transaction.source != nil {
        do {
          return try StoreWriter(source.lines.format.writer(over: source.lines.bytes))
            .write(transaction.state, changes: transaction.changes, over: source)
        } catch is StoreFault {
          // Reading everything tells what is wrong with the lines, and where, or finds them in order.
          try transaction.wantEverything()
        }
      }
      let layout = source.content?.layout ?? RecordLayout()
      return try format.write(transaction.state, changes: transaction.changes, over: layout)
    }
    return try format.write(transaction.state, changes: transaction.changes, over: old)
  }

  private func layout(of present: Present) -> RecordLayout {
    if case .whole(let document) = present { document.content.layout } else { RecordLayout() }
  }

  private func document(_ file: OpenedFile, _ transaction: StateTransaction, _ layout: RecordLayout) -> Document {
    Document(
      file: file,
      content: StoreContent(state: transaction.state, indexes: transaction.indexes, layout: layout))
  }

  // What stands at the path now.
  private func present(_ place: FilePlace) throws -> Present {
    switch try known(place) {
    case .nothing: break
    case .whole(let document): return .whole(document)
    case .written(let file, let image, let sections):
      // It is not read again: a disk that fails now must not make a change that was made look refused.
      if let lines = lines(of: file, image.joined(), sections, place) { return lines }
    }
    guard let file = try file(place) else { return .nothing }
    if format.lines != nil, let noted = WriteLock.lines(of: file.stamp, at: place) {
      let bytes = try file.contents(failures)
      // Nothing is built on what is not, byte for byte, what Belfry wrote.
      if noted.fit(bytes), let lines = lines(of: file, bytes, noted.sections, place) {
        return lines
      }
    }
    return .whole(try document(file, place))
  }

  // What is remembered, if it still stands there.
  private func known(_ place: FilePlace) throws -> Known {
    let known = remembered.withLock { $0 }
    guard let stamp = known.file?.stamp, try FileStamp.of(place.file, failures) == stamp else { return .nothing }
    return known
  }

  private func lines(of file: OpenedFile, _ bytes: FileBytes, _ sections: SectionTable, _ place: FilePlace) -> Present?
  {
    guard let format = format.lines,
      let lines = try? RecordLines(bytes, format, sections, writtenAt: file.stamp.modified)
    else { return nil }
    return .lines(file, LinesSource(lines) { try self.content(of: bytes, file, place) })
  }

  // The same, whole; nil where nothing stands there.
  private func whole(_ place: FilePlace) throws -> Document? {
    if case .whole(let document) = try known(place) { return document }
    return try file(place).map { try document($0, place) }
  }

  // A store that is gone while its copy is there is no new one: it would read as empty, and the second change of a new
  // one would write over the copy.
  private func file(_ place: FilePlace) throws -> OpenedFile? {
    if let file = try OpenedFile(reading: place.file, failures) { return file }
    if let copy = goodCopy(place) { throw failures.gone(copy: copy, at: place) }
    return nil
  }

  private func document(_ file: OpenedFile, _ place: FilePlace) throws -> Document {
    let document = Document(file: file, content: try content(of: file.contents(failures), file, place))
    remembered.withLock { $0 = .whole(document) }
    return document
  }

  private func content(of bytes: FileBytes, _ file: OpenedFile, _ place: FilePlace) throws -> StoreContent {
    do {
      return try format.read(bytes, writtenAt: file.stamp.modified)
    } catch .newer(let version) {
      throw failures.newer(version, known: StoreFileMark.version)
    } catch .damaged(let offset, let message) {
      throw failures.damaged(message, at: format.position(of: offset, in: bytes), copy: goodCopy(place))
    }
  }

  // The copy before the last change, with what it holds, where it can be read.
  private func goodCopy(_ place: FilePlace) -> String? {
    guard let file = try? OpenedFile(reading: place.backup, failures), let bytes = try? file.contents(failures),
      let content = try? format.read(bytes, writtenAt: file.stamp.modified)
    else { return nil }
    return "\(place.backup) (\(content.state.items.count) items, of \(Zone.utc.rfc3339(file.stamp.modified)))"
  }
}
