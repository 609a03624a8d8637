import BelfryModel
import FoundationEssentials

/// The differences between a folder and what the mirror knows of it. Changes neither.
struct FolderDifferences {
  /// The time for which what is gone stays as it was, in seconds.
  static let patience: Int64 = 86_400
  // A change so soon before the file was read may be followed by another one with the same times.
  private static let doubt: Int64 = 2_000_000_000

  /// Folders that became lists.
  private(set) var newLists: [FolderListing.List] = []
  /// Lists with another name, or back after they were gone.
  private(set) var changedLists: [(known: Mirror.List, found: FolderListing.List)] = []
  /// Lists whose folder is not there.
  private(set) var missingLists: [Mirror.List] = []
  /// Files that are new, were changed, or are back.
  private(set) var changed: [(file: FolderListing.File, known: Mirror.File?)] = []
  /// Files that are not there.
  private(set) var missing: [Mirror.File] = []
  /// Files read soon after they were written, with the same content still.
  private(set) var confirmed: [Mirror.File] = []

  /// True if there is nothing to do.
  var isEmpty: Bool {
    newLists.isEmpty && changedLists.isEmpty && missingLists.isEmpty && changed.isEmpty && missing.isEmpty
  }

  /// The differences of a listing.
  ///
  /// - Parameter now: the time in seconds since 1970.
  init(_ listing: FolderListing, _ mirror: Mirror, root: String, now: Int64) throws {
    var lists = Dictionary(try mirror.lists().map { ($0.folder, $0) }) { $1 }
    var files = Dictionary(try mirror.files().map { ($0.path, $0) }) { $1 }
    for list in listing.lists {
      if let known = lists.removeValue(forKey: list.folder) {
        if known.name != list.name || known.goneSince != nil { changedLists.append((known, list)) }
      } else {
        newLists.append(list)
      }
      for file in list.files {
        let known = files.removeValue(forKey: file.path)
        if let known, known.goneSince == nil, try isSame(file, known, root) { continue }
        changed.append((file, known))
      }
    }
    // Lists that have been gone for less than a day may come back.
    func isOver(_ since: Int64?) -> Bool { since.map { now - $0 >= Self.patience || now < $0 } ?? true }
    missingLists = lists.values.filter { isOver($0.goneSince) }.sorted { $0.folder < $1.folder }
    missing = files.values.filter { isOver($0.goneSince) }.sorted { $0.path < $1.path }
  }

  private mutating func isSame(_ file: FolderListing.File, _ known: Mirror.File, _ root: String) throws -> Bool {
    guard file.stamp.text == known.stamp else { return false }
    guard known.changedAt >= known.readAt - Self.doubt else { return true }
    // Nothing was read of it, and its mark is the same.
    guard !known.digest.isEmpty else { return true }
    guard let read = try? FileBytes("\(root)/\(file.path)"), FileBytes.digest(read.bytes) == known.digest else {
      return false
    }
    confirmed.append(known)
    return true
  }
}
