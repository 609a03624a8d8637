import BelfryModel
import FoundationEssentials

/// The differences between a folder and its mirror. Changes neither.
struct FolderDifferences {
  /// Folders that became lists.
  private(set) var newLists: [FolderListing.List] = []
  /// Lists with another name or colour, or back after they were gone.
  private(set) var changedLists: [(known: Mirror.List, found: FolderListing.List)] = []
  /// Lists whose folder has vanished since the last scan.
  private(set) var missingLists: [Mirror.List] = []
  /// Files that are new, were changed, or are back.
  private(set) var changed: [(file: FolderListing.File, known: Mirror.File?)] = []
  /// Files that have vanished since the last scan.
  private(set) var missing: [Mirror.File] = []
  /// True if files that vanished earlier change their state now: to guarded, or to deleted.
  private(set) var hasOutcome = false
  /// True if the reasons why files cannot be used have changed since the last report.
  private(set) var hasNews = false
  /// Files that were read soon after they were written, and still have the same content.
  private(set) var confirmed: [Mirror.File] = []
  /// The most files that are read each time rather than noted as confirmed.
  private static let few = 16

  /// The files to note as confirmed at a time in nanoseconds since 1970, even without a difference, if many would
  /// otherwise be read again each time.
  func confirmable(at now: Int64) -> [Mirror.File] {
    let old = confirmed.filter { now - Mirror.File.doubt > $0.changedAt }
    return old.count > Self.few || !isEmpty ? old : []
  }

  /// True if there is nothing to do.
  var isEmpty: Bool {
    newLists.isEmpty && changedLists.isEmpty && missingLists.isEmpty && changed.isEmpty && missing.isEmpty
      && !hasOutcome && !hasNews
  }

  /// The differences of a listing.
  ///
  /// - Parameter now: the time in seconds since 1970.
  init(_ listing: FolderListing, _ mirror: Mirror, root: String, now: Int64) throws {
    var lists = Dictionary(try mirror.lists().map { ($0.folder, $0) }) { $1 }
    let known = listing.isPartial ? try mirror.unsettledFiles() : try mirror.files()
    var files = Dictionary(known.map { ($0.path, $0) }) { $1 }
    var faulty: [(file: FolderListing.File, known: Mirror.File?)] = []
    for list in listing.lists {
      if let known = lists.removeValue(forKey: list.folder) {
        if known.name != list.name || known.color != list.color || known.goneSince != nil {
          changedLists.append((known, list))
        }
      } else {
        newLists.append(list)
      }
      for file in list.files {
        let known = files.removeValue(forKey: file.path)
        if let known, known.goneSince == nil, try isSame(file, known, root) {
          if known.fault != nil { faulty.append((file, known)) }
        } else {
          changed.append((file, known))
        }
      }
    }
    lists = lists.filter { !listing.unusable.contains($0.key) }
    files = files.filter { !listing.isUnusable($0.key) }
    // A time in the future, by a clock that was set back, counts as now.
    func isNew(_ since: Int64?) -> Bool { since.map { $0 > now } ?? true }
    missingLists = lists.values.filter { isNew($0.goneSince) }.sorted { $0.folder < $1.folder }
    missing = files.values.filter { isNew($0.goneSince) }.sorted { $0.path < $1.path }
    // The file of a second to-do of one UID may be the new place of the missing one.
    if !missing.isEmpty { changed += faulty }
    if missing.count < files.count {
      hasOutcome = try mirror.vanished(besides: listing, missing: Set(lists.keys)).contains { vanished in
        !vanished.newlyGuarded.isEmpty || !vanished.deleted(at: now).isEmpty
      }
    }
    for list in lists.values where try mirror.isDeleted(list, at: now) { hasOutcome = true }
    hasNews = try FolderFaults.sentences(listing, mirror, root: root, now: now) != mirror.editFaults()
  }

  private mutating func isSame(_ file: FolderListing.File, _ known: Mirror.File, _ root: String) throws -> Bool {
    guard file.stamp.text == known.stamp else { return false }
    // The file could not be read. The reason, such as a fault of the disk, may pass without changing its mark.
    guard !known.digest.isEmpty else { return (try? FileBytes("\(root)/\(file.path)")) == nil }
    guard known.isDoubtful else { return true }
    guard let read = try? FileBytes("\(root)/\(file.path)"), FileBytes.digest(read.bytes) == known.digest else {
      return false
    }
    confirmed.append(known)
    return true
  }
}
