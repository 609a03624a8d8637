import BelfryEngine
import BelfryModel
import FoundationEssentials
import SQLRecords

/// Brings what other programs changed in a folder into the mirror, in a change of the store.
struct FolderScan {
  let transaction: any StoreTransaction
  let mirror: Mirror
  let root: String
  let text: ItemText
  let failures: VdirFailures
  /// The items whose files are to be written.
  private(set) var unwritten: Set<Int64> = []
  /// The time of the earliest change that was found, in seconds since 1970.
  private(set) var changedSince: Int64?
  private var lists: [String: Int64] = [:]
  private var missing: Set<String> = []

  private var planner: Planner { text.planner }
  private var now: Date { text.now }
  private var seconds: Int64 { Int64(now.timeIntervalSince1970) }
  private var reader: ForeignItem { ForeignItem(planner: planner, remind: text.remind, now: now.wholeSeconds) }

  init(
    _ transaction: any StoreTransaction, _ mirror: Mirror, root: String, text: ItemText, _ failures: VdirFailures
  ) {
    (self.transaction, self.mirror, self.root, self.text) = (transaction, mirror, root, text)
    self.failures = failures
  }

  /// Takes up every difference.
  ///
  /// - Parameter confirming: whether to note which files were looked at again, also without a difference.
  /// - Returns: whether there was a difference.
  mutating func run(confirming: Bool) throws -> Bool {
    let listing = try FolderListing(root: root, failures)
    let differences = try FolderDifferences(listing, mirror, root: root, now: seconds)
    if confirming || !differences.isEmpty {
      for file in differences.confirmed { try confirm(file) }
    }
    guard !differences.isEmpty else { return false }
    for list in try mirror.lists() { lists[list.folder] = list.listID }
    for list in differences.newLists { try add(list) }
    for (known, found) in differences.changedLists { try change(known, found) }
    missing = Set(differences.missing.map(\.path))
    for (file, known) in differences.changed { try read(file, known) }
    try remove(differences)
    try tell(listing)
    return true
  }

  // MARK: Lists

  private mutating func add(_ list: FolderListing.List) throws {
    let uuid = UUID(namespace: .belfry, name: "vdir \(list.folder)")
    let isTaken = try transaction.list(uuid: uuid) != nil
    let made = try transaction.addList(
      name: try name(of: list, listID: nil), uuid: isTaken ? UUID() : uuid, at: now.wholeSeconds)
    lists[list.folder] = made.id
    try mirror.put(Mirror.List(folder: list.folder, listID: made.id, name: list.name, goneSince: nil))
  }

  private mutating func change(_ known: Mirror.List, _ found: FolderListing.List) throws {
    var known = known
    if known.name != found.name, var list = try transaction.list(id: known.listID) {
      list.name = try name(of: found, listID: list.id)
      list.updatedAt = now.wholeSeconds
      try transaction.update(list)
    }
    (known.name, known.goneSince) = (found.name, nil)
    try mirror.put(known)
  }

  // The displayname, or the folder's name; with the folder's name behind it where another list is called so.
  private func name(of list: FolderListing.List, listID: Int64?) throws -> String {
    let line = String(decoding: list.name ?? [], as: UTF8.self).trimmed
    let name = (try? TextRules.line(line, what: "")) ?? list.folder
    func isFree(_ name: String) throws -> Bool {
      guard let other = try transaction.list(named: name) else { return true }
      return other.id == listID
    }
    if try isFree(name) { return name }
    let placed = "\(name) (\(list.folder))"
    return try isFree(placed) ? placed : "\(placed) \(UUID().uuidString.lowercased())"
  }

  // MARK: Files

  // The content is the same: it only was read too soon after it was written.
  private func confirm(_ file: Mirror.File) throws {
    let read = Int64(now.timeIntervalSince1970 * 1e9)
    guard read > file.changedAt + 2_000_000_000 else { return }
    var file = file
    file.readAt = read
    try mirror.update(file)
  }

  private mutating func read(_ found: FolderListing.File, _ known: Mirror.File?) throws {
    var file = known ?? Mirror.File(path: found.path)
    (file.stamp, file.changedAt) = (found.stamp.text, found.stamp.changedAt)
    file.readAt = Int64(now.timeIntervalSince1970 * 1e9)
    let wasFaulty = known?.fault != nil
    let wasGone = known?.goneSince != nil
    (file.fault, file.goneSince) = (nil, nil)
    let content: FileBytes
    do {
      content = try FileBytes("\(root)/\(found.path)")
    } catch {
      guard !error.isMissing else { return }
      return try refuse(&file, known, [], error.reason)
    }
    (file.stamp, file.changedAt) = (content.stamp.text, content.stamp.changedAt)
    let digest = FileBytes.digest(content.bytes)
    if let known, !wasFaulty, digest == known.digest {
      file.digest = digest
      return try mirror.update(file)
    }
    file.digest = digest
    changedSince = min(changedSince ?? .max, found.stamp.writtenAt)
    switch TodoFile(content.bytes, planner: planner, now: now) {
    case .faulty(let reason): try refuse(&file, known, digest, reason)
    case .other:
      if let uuid = known?.uuid { try removeItem(uuid) }
      file.uuid = nil
      try mirror.put(file, bytes: nil)
    case .todo(let imported, let changed, let note):
      guard let uuid = imported.uuid else { return }
      do {
        try take(imported, changed, uuid, into: &file, isOwnToo: wasFaulty || wasGone)
        try mirror.put(file, bytes: content.bytes, note: note)
      } catch let error as BelfryError where error.kind == .badInput || error.kind == .usage {
        try refuse(&file, known, digest, error.message)
      }
    }
  }

  // The item stays as it was, until the file can be read again.
  private func refuse(_ file: inout Mirror.File, _ known: Mirror.File?, _ digest: [UInt8], _ reason: String) throws {
    (file.fault, file.digest) = (reason, digest)
    if known == nil { try mirror.put(file, bytes: nil) } else { try mirror.update(file) }
  }

  private mutating func take(
    _ imported: ImportedItem, _ changed: [ImportedOccurrence], _ uuid: UUID, into file: inout Mirror.File,
    isOwnToo: Bool
  ) throws {
    guard let listID = lists[file.folder] else { return }
    var base = try mirror.bytes(of: file.path)
    if let other = try mirror.file(of: uuid), other.path != file.path {
      guard missing.contains(other.path) || other.goneSince != nil else {
        throw BelfryError(.badInput, "its to-do has the UID of \(root)/\(other.path)")
      }
      base = try mirror.bytes(of: other.path)
      try mirror.removeFile(other.path)
      missing.remove(other.path)
    }
    // The file of one item has become that of another.
    if let former = file.uuid, former != uuid { try removeItem(former) }
    file.uuid = uuid
    if let item = try transaction.item(uuid: uuid)?.item {
      try change(item, to: reader.item(imported, changed, as: item), from: base, listID: listID)
      if isOwnToo { unwritten.insert(item.id) }
    } else {
      try add(imported, changed, uuid, listID)
    }
  }

  private func change(_ item: Item, to new: Item, from base: [UInt8]?, listID: Int64) throws {
    var old = item
    if let base, case .todo(let before, let changed, _) = TodoFile(base, planner: planner, now: now),
      let said = try? reader.item(before, changed, as: item)
    {
      old = said
    }
    var merged = item.merging(from: old, to: new)
    if let key = merged.key, let other = try transaction.item(key: key), other.item.id != item.id { merged.key = nil }
    if listID != item.listID {
      (merged.listID, merged.position) = (listID, try transaction.endPosition(listID: listID))
    }
    if merged != item { try transaction.update(merged) }
  }

  private func add(
    _ imported: ImportedItem, _ changed: [ImportedOccurrence], _ uuid: UUID, _ listID: Int64
  ) throws {
    var imported = imported
    if let key = imported.key, try transaction.item(key: key) != nil { imported.key = nil }
    guard let known = try mirror.itemID(of: uuid), try transaction.item(id: known) == nil else {
      let item = try transaction.addItem(listID: listID, preferredID: nil) { id, position in
        try reader.newItem(imported, changed, id: id, uuid: uuid, listID: listID, position: position)
      }
      return try mirror.keep(item.id, for: uuid)
    }
    let position = try transaction.endPosition(listID: listID)
    try transaction.restore(
      .item(reader.newItem(imported, changed, id: known, uuid: uuid, listID: listID, position: position)))
  }

  private func removeItem(_ uuid: UUID) throws {
    if let id = try mirror.itemID(of: uuid), try transaction.item(id: id)?.item.uuid == uuid {
      try transaction.deleteItem(id: id)
    }
  }

  // MARK: What is gone

  private mutating func remove(_ differences: FolderDifferences) throws {
    let gone = differences.missing.filter { missing.contains($0.path) }
    let folders = Set(differences.missingLists.map(\.folder))
    for (folder, files) in Dictionary(grouping: gone, by: \.folder) {
      let left =
        try mirror.database.statement("SELECT count(*) FROM vdir_file WHERE path GLOB ?")
        .first(folder.globEscaped + "/*") { try $0.at(0) as Int } ?? 0
      let isMost = files.count >= 5 && files.count * 2 > left
      for file in files {
        let isOwn = file.uuid != nil
        guard isOwn, file.goneSince == nil, isMost || folders.contains(folder) else {
          if let uuid = file.uuid { try removeItem(uuid) }
          try mirror.removeFile(file.path)
          changedSince = min(changedSince ?? .max, seconds)
          continue
        }
        var file = file
        file.goneSince = seconds
        try mirror.update(file)
      }
    }
    for var list in differences.missingLists {
      var hasItems = false
      try transaction.visitItems(ItemQuery(listID: list.listID, checked: .any, limit: 1)) { _ in hasItems = true }
      if hasItems {
        list.goneSince = seconds
        try mirror.put(list)
      } else {
        try transaction.deleteList(id: list.listID)
        try mirror.removeList(list.folder)
      }
    }
  }

  // The daemon logs this with the changes.
  private func tell(_ listing: FolderListing) throws {
    try mirror.setEditFaults(Self.faults(listing, mirror, root: root) + mirror.notes(root: root))
    let edited = min(try mirror.note("edited_at") ?? .max, changedSince ?? seconds)
    let last = try mirror.note("vdir_scanned_at") ?? seconds
    // Nothing from before the last look can be new, whatever the times of files say.
    try mirror.set("edited_at", min(seconds, max(edited, last)))
    try mirror.set("vdir_scanned_at", seconds)
  }

  /// The faults of a folder: the files that cannot be read, and those that are gone, one sentence each.
  static func faults(_ listing: FolderListing, _ mirror: Mirror, root: String) throws -> [String] {
    var faults = try listing.faults + mirror.faults(root: root)
    for list in try mirror.lists() where list.goneSince != nil {
      faults.append("\(root)/\(list.folder) is gone: what it held rings for a day, then counts as deleted")
    }
    let gone = Dictionary(grouping: try mirror.files().filter { $0.goneSince != nil }, by: \.folder)
    for (folder, files) in gone.sorted(by: { $0.key < $1.key }) {
      faults.append(
        "\(root)/\(folder): \(files.count) files vanished at once: they ring for a day, then count as deleted")
    }
    return faults
  }
}

extension String {
  /// As a literal in a GLOB pattern.
  fileprivate var globEscaped: String {
    var text = ""
    for character in self { text += "*?[".contains(character) ? "[\(character)]" : "\(character)" }
    return text
  }
}
