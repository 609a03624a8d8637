import BelfryEngine
import BelfryModel
import FoundationEssentials
import Glibc
import SystemFiles

/// The places of a folder of calendars and of its state.
///
/// A marker in the folder names the state; a note in the state names the folder. The state is made first, then the
/// marker, then the note, so that after a crash the work is either repeated or complete.
struct VdirPlace {
  let root: String
  /// The folder of the state.
  let state: String
  /// The number that ties both.
  let identifier: String
  /// The reason why the folder cannot be used although its state is there; `nil` if it can be.
  let absence: String?
  /// True if neither folder has been used before.
  let isNew: Bool

  static let markerName = ".belfry-vdir"
  private static let databaseName = "belfry.sqlite"
  private static let noteName = "folder"

  var database: String { "\(state)/\(Self.databaseName)" }

  /// Finds both folders; creates nothing.
  ///
  /// - Parameters:
  ///   - state: the folder of the state in the config; `nil` for one in `states`.
  ///   - states: the folder of all states.
  /// - Throws: ``BelfryError`` `.storeFailed` if they do not belong together.
  init(root: String, state: String?, states: String, _ failures: VdirFailures) throws {
    guard let root = SymbolicLinks.end(of: root) else { throw failures.cannotRead(root, ELOOP) }
    let path = "\(root)/\(Self.markerName)"
    let marker = SmallFile.bytes(path: path).map { String(decoding: $0, as: UTF8.self).trimmed }
    self.root = root
    if let marker {
      guard UUID(uuidString: marker) != nil else { throw failures.otherFolder(path) }
      let place = state ?? "\(states)/\(marker)"
      guard Self.exists("\(place)/\(Self.databaseName)") else { throw failures.noState(path, state: place) }
      if let note = Self.note(in: place) {
        guard state == nil || note.identifier == marker else { throw failures.otherFolder(path) }
        if note.folder != root, Self.marker(in: note.folder) == marker {
          throw failures.copied(path, from: note.folder)
        }
      }
      (self.state, identifier, absence, isNew) = (place, marker, nil, false)
      return
    }
    if let state, let note = Self.note(in: state), note.folder != root { throw failures.otherFolder(path) }
    let known = state.map { [$0] } ?? Self.places(in: states)
    if let place = known.first(where: { Self.note(in: $0)?.folder == root }), let note = Self.note(in: place) {
      guard Self.exists("\(place)/\(Self.databaseName)") else { throw failures.noState(path, state: place) }
      let reason = Self.exists(root) ? "the folder has lost its marker \(Self.markerName)" : "the folder is gone"
      (self.state, identifier, absence, isNew) = (place, note.identifier, reason, false)
      return
    }
    identifier = UUID().uuidString.lowercased()
    self.state = state ?? "\(states)/\(identifier)"
    (absence, isNew) = (nil, true)
  }

  /// Writes the marker and the note, once the database is there.
  func tie(_ failures: VdirFailures) throws {
    if let code = PrivateFolder.make(at: root) { throw failures.cannotMake(root, code) }
    try write("\(identifier)\n", to: "\(root)/\(Self.markerName)", failures)
    try note(failures)
  }

  /// Removes the marker of a folder whose state is gone, or belongs to another folder.
  ///
  /// - Returns: `false` if the config names a state that is there.
  static func untie(root: String, state: String?, _ failures: VdirFailures) throws -> Bool {
    if let state, exists("\(state)/\(databaseName)") { return false }
    guard let root = SymbolicLinks.end(of: root) else { throw failures.cannotRead(root, ELOOP) }
    let path = "\(root)/\(markerName)"
    guard unlink(path) == 0 || errno == ENOENT else { throw failures.cannotWrite(path, errno) }
    return true
  }

  /// Notes the folder in the state, if it has been moved.
  func note(_ failures: VdirFailures) throws {
    guard Self.note(in: state)?.folder != root else { return }
    try write("\(identifier)\n\(root)\n", to: "\(state)/\(Self.noteName)", failures)
  }

  private func write(_ text: String, to path: String, _ failures: VdirFailures) throws {
    let draft = FileDraft("\(path).\(getpid()).tmp")
    do throws(SystemCallFailure) {
      try draft.write(Array(text.utf8), isSynced: true)
      try draft.replace(path)
    } catch {
      throw failures.cannotWrite(path, error.code)
    }
  }

  private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private static func marker(in folder: String) -> String? {
    SmallFile.bytes(path: "\(folder)/\(markerName)").map { String(decoding: $0, as: UTF8.self).trimmed }
  }

  private static func note(in state: String) -> (identifier: String, folder: String)? {
    guard let bytes = SmallFile.bytes(path: "\(state)/\(noteName)") else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", maxSplits: 1)
    return lines.count == 2 ? (String(lines[0]), String(lines[1].dropLast())) : nil
  }

  private static func places(in states: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: states)) ?? []).sorted().map { "\(states)/\($0)" }
  }
}

extension String {
  /// Without white space at its ends.
  var trimmed: String {
    String(decoding: Array(utf8).trimmedSpace, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Without ASCII white space at its ends.
  var trimmedSpace: ArraySlice<UInt8> {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else {
      return []
    }
    return self[first...last]
  }
}
