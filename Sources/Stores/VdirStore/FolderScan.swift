import BelfryEngine
import BelfryModel
import FoundationEssentials
import SQLRecords

/// Brings the changes of other programs in a folder into the mirror, in a change of the store.
struct FolderScan {
  let transaction: any StoreTransaction
  let mirror: Mirror
  let root: String
  let text: ItemText
  let failures: VdirFailures
  /// The items whose files must be written.
  private(set) var unwritten: Set<Int64> = []
  /// The time of the earliest change that was found, in seconds since 1970.
  var changedSince: Int64?
  /// The number of vanished files that count as deleted now.
  var deleted = 0
  /// The changes of Belfry that were lost to another program's, one sentence each.
  var lost: [String] = []
  private var lists: [String: Int64] = [:]
  /// The paths of the files that have vanished since the last scan, except those that moved.
  private(set) var missing: Set<String> = []

  private var planner: Planner { text.planner }
  private var now: Date { text.now }
  /// The time in seconds since 1970.
  var seconds: Int64 { Int64(now.timeIntervalSince1970) }
  private var nanoseconds: Int64 { Int64(now.timeIntervalSince1970 * 1e9) }
  private var alarms: ForeignAlarms { ForeignAlarms(transaction: transaction, planner: planner, now: now) }
  private var reader: ForeignItem { ForeignItem(planner: planner, remind: text.remind, now: now.wholeSeconds) }

  init(
    _ transaction: any StoreTransaction, _ mirror: Mirror, root: String, text: ItemText, _ failures: VdirFailures
  ) {
    (self.transaction, self.mirror, self.root, self.text) = (transaction, mirror, root, text)
    self.failures = failures
  }

  /// Takes every difference into the store.
  ///
  /// - Parameters:
  ///   - confirming: whether to note which files were read again, also without a difference.
  ///   - accepting: whether everything that vanished counts as deleted now.
  ///   - isLookedAt: whether the files are known to have no difference.
  mutating func run(confirming: Bool, accepting: Bool, isLookedAt: Bool) throws {
    if text.readsEvents {
      for event in try EventEnds(planner: planner, now: now).over(in: transaction) { try transaction.update(event) }
    }
    if isLookedAt, try mirror.overtaken().isEmpty { return try noteFirst() }
    let listing = try FolderListing.changeable(root: root, mirror, failures)
    let differences = try FolderDifferences(listing, mirror, root: root, now: seconds)
    for file in confirming ? differences.confirmed : differences.confirmable(at: nanoseconds) { try confirm(file) }
    guard try accepting || !differences.isEmpty || !mirror.overtaken().isEmpty else { return try noteFirst() }
    for list in try mirror.lists() { lists[list.folder] = list.listID }
    for list in differences.newLists { try add(list) }
    for (known, found) in differences.changedLists { try change(known, found) }
    missing = Set(differences.missing.map(\.path))
    for (file, known) in differences.changed { try read(file, known) }
    try noteMissing(differences)
    try endVanished(listing, accepting: accepting)
    try noteLost()
    try tell(listing)
  }

  // MARK: Lists

  private mutating func add(_ list: FolderListing.List) throws {
    let uuid = UUID(namespace: .belfry, name: "vdir \(list.folder)")
    let isTaken = try transaction.list(uuid: uuid) != nil
    let made = try transaction.addList(
      name: try name(of: list, listID: nil), uuid: isTaken ? UUID() : uuid, at: now.wholeSeconds)
    lists[list.folder] = made.id
    if let color = list.color.flatMap(ListColor.init(file:)) {
      var colored = made
      colored.color = color
      try transaction.update(colored)
    }
    try mirror.put(
      Mirror.List(folder: list.folder, listID: made.id, name: list.name, color: list.color, goneSince: nil))
  }

  private mutating func change(_ known: Mirror.List, _ found: FolderListing.List) throws {
    var known = known
    if let old = try transaction.list(id: known.listID) {
      var list = old
      if known.name != found.name { list.name = try name(of: found, listID: list.id) }
      // A text that is not a colour keeps the old one.
      if known.color != found.color { list.color = found.color.flatMap { ListColor(file: $0) ?? old.color } }
      list.updatedAt = now.wholeSeconds
      if known.name != found.name || list.color != old.color { try transaction.update(list) }
    }
    (known.name, known.color, known.goneSince) = (found.name, found.color, nil)
    try mirror.put(known)
  }

  // The displayname, or the folder's name; followed by the folder's name if another list has that name.
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

  // The content is the same; it was only read too soon after it was written.
  private func confirm(_ file: Mirror.File) throws {
    guard nanoseconds - Mirror.File.doubt > file.changedAt else { return }
    var file = file
    file.readAt = nanoseconds
    try mirror.update(file)
  }

  private mutating func read(_ found: FolderListing.File, _ known: Mirror.File?) throws {
    var file = known ?? Mirror.File(path: found.path)
    (file.stamp, file.changedAt) = (found.stamp.text, found.stamp.changedAt)
    file.readAt = nanoseconds
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
    switch todoFile(content.bytes) {
    case .faulty(let reason): try refuse(&file, known, digest, reason)
    case .other:
      if let uuid = known?.uuid {
        // An event that should no longer ring has not vanished; it ends at once.
        if !text.readsEvents, try transaction.item(uuid: uuid)?.item.isEvent == true {
          try removeItem(uuid)
        } else {
          try keepMissing(uuid, of: file)
        }
      }
      file.uuid = nil
      try mirror.put(file, bytes: nil)
      try takeApart([], from: file, base: nil, isOwnToo: false)
    case .todo(let found):
      guard let uuid = found.item.uuid else { return }
      do {
        let isOwnToo = wasFaulty || wasGone
        let base = try take(found, uuid, into: &file, isOwnToo: isOwnToo)
        try mirror.put(file, bytes: content.bytes, note: found.note)
        try takeApart(found.apart, from: file, base: base, isOwnToo: isOwnToo)
      } catch let error as BelfryError where error.kind == .badInput || error.kind == .usage {
        try refuse(&file, known, digest, error.message)
      }
    }
  }

  private func todoFile(_ bytes: [UInt8]) -> TodoFile {
    TodoFile(bytes, planner: planner, now: now, readsEvents: text.readsEvents)
  }

  // The item stays as it was, until the file can be read again.
  private func refuse(_ file: inout Mirror.File, _ known: Mirror.File?, _ digest: [UInt8], _ reason: String) throws {
    (file.fault, file.digest) = (reason, digest)
    if known == nil { try mirror.put(file, bytes: nil) } else { try mirror.update(file) }
  }

  // Returns the content of the file before.
  private mutating func take(
    _ content: FileContent, _ uuid: UUID, into file: inout Mirror.File, isOwnToo: Bool
  ) throws -> [UInt8]? {
    guard let listID = lists[file.folder] else { return nil }
    var base = try mirror.bytes(of: file.path)
    if let other = try mirror.file(of: uuid), other.path != file.path {
      guard missing.contains(other.path) || other.goneSince != nil else {
        throw BelfryError(.badInput, "its to-do has the same UID as \(root)/\(other.path)")
      }
      base = try mirror.bytes(of: other.path)
      try mirror.moveApart(from: other.path, to: file.path)
      try mirror.removeFile(other.path)
      missing.remove(other.path)
    }
    if let former = file.uuid, former != uuid, content.part(former) == nil { try keepMissing(former, of: file) }
    try mirror.removeApart(uuid)
    file.uuid = uuid
    if let id = try take(content.item, content.changed, uuid, from: base, listID: listID), isOwnToo {
      unwritten.insert(id)
    }
    return base
  }

  // Takes the events of a file besides its main one. Those that it no longer has are over, since their series still
  // exists.
  private mutating func takeApart(
    _ events: [ImportedItem], from file: Mirror.File, base: [UInt8]?, isOwnToo: Bool
  ) throws {
    var former = Set(try mirror.apart(at: file.path))
    for event in events {
      guard let uuid = event.uuid, let listID = lists[file.folder] else { continue }
      // The same event may be in another calendar too.
      let holder = try mirror.file(of: uuid) ?? mirror.fileApart(of: uuid)
      if let holder, holder.path != file.path, holder.goneSince == nil, !missing.contains(holder.path) { continue }
      if let id = try take(event, [], uuid, from: base, listID: listID), isOwnToo { unwritten.insert(id) }
      try mirror.putApart(uuid, at: file.path)
      former.remove(uuid)
    }
    for uuid in former {
      try removeItem(uuid)
      try mirror.removeApart(uuid)
    }
  }

  // Returns the number of the item if it was there before.
  private func take(
    _ imported: ImportedItem, _ changed: [ImportedOccurrence], _ uuid: UUID, from base: [UInt8]?, listID: Int64
  ) throws -> Int64? {
    guard let item = try transaction.item(uuid: uuid)?.item else {
      try add(imported, changed, uuid, listID)
      return nil
    }
    try change(item, to: imported, changed, from: base, listID: listID)
    return item.id
  }

  private func change(
    _ item: Item, to imported: ImportedItem, _ changed: [ImportedOccurrence], from base: [UInt8]?, listID: Int64
  ) throws {
    var (old, before) = (item, ImportedItem?.none)
    if let base, case .todo(let content) = todoFile(base), let said = content.part(item.uuid),
      let known = try? reader.item(said.item, said.changed, as: item)
    {
      (old, before) = (known, said.item)
    }
    let new = try reader.item(imported, changed, as: item)
    var merged = item.merging(from: old, to: new)
    // Belfry has no fields of its own in an event, and a later version may read more of the same file.
    if new.isEvent { merged.content = new.content }
    if let key = merged.key, let other = try transaction.item(key: key), other.item.id != item.id { merged.key = nil }
    if listID != item.listID {
      (merged.listID, merged.position) = (listID, try transaction.endPosition(listID: listID))
    }
    if merged != item { try transaction.update(merged) }
    try alarms.follow(merged, from: before, to: imported)
    // What the file says of its alarms counts too once it is planned.
    try mirror.touchItem(item.id)
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
      try mirror.keep(item.id, for: uuid)
      return try alarms.follow(item, from: nil, to: imported)
    }
    let position = try transaction.endPosition(listID: listID)
    let item = try reader.newItem(imported, changed, id: known, uuid: uuid, listID: listID, position: position)
    try transaction.restore(.item(item))
    try alarms.follow(item, from: nil, to: imported)
  }

  /// Removes the item of an identity.
  func removeItem(_ uuid: UUID) throws {
    if let id = try mirror.itemID(of: uuid), try transaction.item(id: id)?.item.uuid == uuid {
      try transaction.deleteItem(id: id)
    }
  }
}

extension ListColor {
  /// The colour that a file `color` of the vdir format holds; `nil` if it holds none.
  init?(file bytes: [UInt8]) {
    guard let color = try? ListColor(parsing: String(decoding: bytes, as: UTF8.self)) else { return nil }
    self = color
  }
}
