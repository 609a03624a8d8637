import BelfryEngine
import BelfryModel
import FoundationEssentials
import Glibc
import SystemFiles

/// Decides how the files change after a change of lists and items.
struct OwnChanges {
  let view: any StoreView
  let mirror: Mirror
  let root: String
  let text: ItemText
  let failures: VdirFailures
  private var intents: [Mirror.Intent] = []
  // The places of the intents, by their paths.
  private var numbers: [String: Int] = [:]
  private var folders: [Int64: Mirror.List] = [:]

  /// The intents for all touched items and lists; the mirror is then as the files will be.
  static func intents(
    of view: any StoreView, _ mirror: Mirror, root: String, text: ItemText, besides items: Set<Int64>,
    _ failures: VdirFailures
  ) throws -> [Mirror.Intent] {
    var changes = OwnChanges(view: view, mirror: mirror, root: root, text: text, failures: failures)
    for list in try mirror.lists() { changes.folders[list.listID] = list }
    let lists = try mirror.touched(lists: true)
    for id in lists {
      if let list = try view.list(id: id) { try changes.write(list) }
    }
    for id in try items.union(mirror.touched(lists: false)).sorted() { try changes.writeItem(id) }
    for id in lists where try view.list(id: id) == nil { try changes.removeList(id) }
    try mirror.clearTouched()
    return changes.intents
  }

  private init(view: any StoreView, mirror: Mirror, root: String, text: ItemText, failures: VdirFailures) {
    (self.view, self.mirror, self.root, self.text, self.failures) = (view, mirror, root, text, failures)
  }

  // A file with several events is written once, after all their answers, so that a crash leaves either the old or the
  // new content.
  private mutating func change(_ path: String, from old: [UInt8]?, to new: [UInt8]?) throws {
    if let number = numbers[path] {
      intents[number].new = new
      return try mirror.update(intents[number])
    }
    var intent = Mirror.Intent(path: path, old: old, new: new)
    intent.id = try mirror.add(intent)
    numbers[path] = intents.count
    intents.append(intent)
  }

  // MARK: Lists

  private mutating func write(_ list: Checklist) throws {
    let name = Array(list.name.holdable.replacing("\n", with: " ").utf8)
    if let known = folders[list.id] {
      try writeColor(of: list, known)
      guard known.name != name else { return }
      try requireOwnLists(list.name)
      // A folder without a displayname has its list's name.
      if known.name == nil, known.folder.utf8.elementsEqual(name) { return }
      try change("\(known.folder)/displayname", from: known.name, to: name)
      return try keep(list.id) { $0.name = name }
    }
    try requireOwnLists(list.name)
    let new = Mirror.List(folder: freeFolder(for: list), listID: list.id, name: name, goneSince: nil)
    folders[list.id] = new
    try change("\(new.folder)/displayname", from: nil, to: name)
    try keep(list.id) { _ in }
    try writeColor(of: list, new)
  }

  private mutating func keep(_ id: Int64, _ change: (inout Mirror.List) -> Void) throws {
    guard var list = folders[id] else { return }
    change(&list)
    try mirror.put(list)
    folders[id] = list
  }

  // Radicale has no such file; there the colour is kept only in the state.
  private mutating func writeColor(of list: Checklist, _ known: Mirror.List) throws {
    guard known.color.flatMap(ListColor.init(file:)) != list.color, known.goneSince == nil,
      RadicaleFolder.lock(above: root) == nil
    else { return }
    let color = list.color.map { Array($0.hex.utf8) }
    try change("\(known.folder)/color", from: known.color, to: color)
    try keep(list.id) { $0.color = color }
  }

  private func requireOwnLists(_ name: String) throws {
    if RadicaleFolder.lock(above: root) != nil { throw failures.ofRadicale(name) }
  }

  // A name that every file system and program accepts.
  private func freeFolder(for list: Checklist) -> String {
    let words = list.name.lowercased().utf8.split { byte in
      !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    let slug = String(words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-").prefix(60))
    let stem = slug.isEmpty ? "list" : slug
    let taken = Set(folders.values.map(\.folder))
    var (name, number) = (stem, 1)
    while taken.contains(name) || access("\(root)/\(name)", F_OK) == 0 {
      number += 1
      name = "\(stem)-\(number)"
    }
    return name
  }

  // The folder of a deleted list is made again with the first item that is written into it.
  private mutating func makeFolder(of list: Mirror.List) throws {
    try requireOwnLists(list.name.map { String(decoding: $0, as: UTF8.self) } ?? list.folder)
    if let name = list.name { try change("\(list.folder)/displayname", from: nil, to: name) }
    if let color = list.color { try change("\(list.folder)/color", from: nil, to: color) }
    var list = list
    list.goneSince = nil
    try mirror.put(list)
    folders[list.listID] = list
  }

  private mutating func removeList(_ id: Int64) throws {
    guard let list = folders.removeValue(forKey: id) else { return }
    let name = list.name.map { String(decoding: $0, as: UTF8.self) } ?? list.folder
    try requireOwnLists(name)
    let leaving = Set(intents.filter { $0.new == nil }.map(\.path)).union(["\(list.folder)/displayname"])
    let folder = "\(root)/\(list.folder)"
    for file in FolderListing.entries(of: folder) where file != "color" && !file.hasSuffix(".tmp") {
      guard !leaving.contains("\(list.folder)/\(file)") else { continue }
      throw failures.notEmpty(name, folder, file)
    }
    try change("\(list.folder)/displayname", from: list.name, to: nil)
    try mirror.removeList(list.folder)
  }

  // MARK: Items

  private mutating func writeItem(_ id: Int64) throws {
    let item = try view.item(id: id)?.item
    for uuid in try mirror.identities(ofItem: id) where uuid != item?.uuid {
      guard try view.item(uuid: uuid) == nil else { continue }
      if let file = try mirror.file(of: uuid) ?? mirror.fileApart(of: uuid) { try remove(file) }
    }
    guard let item, let list = folders[item.listID] else { return }
    if list.goneSince != nil { try makeFolder(of: list) }
    try mirror.keep(id, for: item.uuid)
    let snooze = try view.reminders(of: .item(id), at: nil, state: .scheduled).first { $0.occurrence.kind.isSnooze }
    guard let file = try mirror.file(of: item.uuid) ?? mirror.fileApart(of: item.uuid) else {
      return try add(item, to: freePath(for: item, in: list.folder), try text.calendar(item, snooze: snooze))
    }
    // A file that cannot be read now is changed once it can be.
    guard file.fault == nil, let old = try mirror.bytes(of: file.path) else { return }
    guard !TodoFile.isEvent(old) else {
      try requireUnchanged(item, old, in: file.folder == list.folder)
      return try writeAnswers(to: item, in: file, old)
    }
    let new = try text.calendar(item, snooze: snooze, over: old)
    if file.folder != list.folder {
      try add(item, to: freePath(for: item, in: list.folder), new)
      try change(file.path, from: old, to: nil)
      try mirror.removeFile(file.path)
    } else if new != old || file.goneSince != nil {
      try change(file.path, from: file.goneSince == nil ? old : nil, to: new)
      try keep(item, at: file.path, new)
    }
  }

  // Answers given here, and the present occurrence of the event, stay in the state.
  private func requireUnchanged(_ event: Item, _ file: [UInt8], in isInPlace: Bool) throws {
    let said = try text.item(file, as: event)
    let isInTime = event.due?.local == said?.due?.local || event.due?.instant == said?.due?.instant
    guard isInPlace, isInTime || event.recurrence != nil, event.content.fields == said?.content.fields,
      event.recurrence == said?.recurrence
    else {
      throw failures.ofEvent(event.text)
    }
  }

  // Answers to events of a calendar that is not writable stay in the state only.
  private mutating func writeAnswers(to event: Item, in file: Mirror.File, _ old: [UInt8]) throws {
    let path = "\(root)/\(file.path)"
    guard text.writesAcknowledged, file.goneSince == nil, FileMark(path)?.isWritable == true,
      access(SymbolicLinks.folder(of: path), W_OK) == 0
    else { return }
    let new = try text.calendar(event, answersIn: view, over: old)
    guard new != old else { return }
    try change(file.path, from: old, to: new)
    var changed = file
    changed.digest = FileBytes.digest(new)
    try mirror.put(changed, bytes: new, note: mirror.note(of: file.path))
  }

  private mutating func remove(_ file: Mirror.File) throws {
    if let old = try mirror.bytes(of: file.path), TodoFile.isEvent(old) {
      throw failures.ofEvent("\(root)/\(file.path)")
    }
    if file.goneSince == nil, let old = try mirror.bytes(of: file.path) { try change(file.path, from: old, to: nil) }
    try mirror.removeFile(file.path)
  }

  private mutating func add(_ item: Item, to path: String, _ bytes: [UInt8]) throws {
    try change(path, from: nil, to: bytes)
    // One item has one file, so the row of the earlier file is removed first.
    if let former = try mirror.file(of: item.uuid) { try mirror.removeFile(former.path) }
    try keep(item, at: path, bytes)
  }

  private func keep(_ item: Item, at path: String, _ bytes: [UInt8]) throws {
    try mirror.put(Mirror.File(path: path, uuid: item.uuid, digest: FileBytes.digest(bytes)), bytes: bytes)
  }

  private func freePath(for item: Item, in folder: String) throws -> String {
    let path = "\(folder)/\(item.uuid.uuidString.lowercased()).ics"
    guard try mirror.file(at: path) == nil, access("\(root)/\(path)", F_OK) != 0 else {
      return "\(folder)/\(UUID().uuidString.lowercased()).ics"
    }
    return path
  }
}

extension ItemContent {
  // The fields of an event that a user could change. Its properties follow from the file and the version of Belfry.
  fileprivate var fields: ItemContent {
    var content = self
    content.properties = []
    return content
  }
}
