import BelfryEngine
import BelfryModel
import CivilTime

/// The changes of Belfry that another program has overtaken: both changed the same file in the same moment.
extension FolderScan {
  /// Notes what is lost of each, after the files were read.
  mutating func noteLost() throws {
    for intent in try mirror.overtaken() {
      // Whether anything is lost shows once the file can be used.
      if try mirror.file(at: intent.path)?.fault != nil { continue }
      guard let words = try loss(of: intent) else {
        try mirror.removeOvertaken(intent.path)
        continue
      }
      let sentence = "\(root)/\(intent.path) was changed by another program in the same moment: \(words)"
        .replacing("\n", with: " ")
      try mirror.setLost(sentence, at: intent.path, now: seconds)
      lost.append(sentence)
    }
  }

  // Returns what was kept in its place; `nil` if both changes stay.
  private func loss(of intent: Mirror.Intent) throws -> String? {
    guard FolderListing.isCalendar(intent.path.utf8) else { return try loss(ofList: intent) }
    guard let old = intent.old, case .todo(let content) = TodoFile(old, text), !content.item.isEvent,
      let uuid = content.item.uuid, try mirror.file(of: uuid)?.path == intent.path,
      let item = try transaction.item(uuid: uuid)?.item
    else { return nil }
    guard let new = intent.new else { return "it was kept, and not deleted" }
    guard let before = try text.item(old, as: item), let after = try text.item(new, as: item) else { return nil }
    let fields = Self.lostFields(from: before, to: after, in: item)
    guard !fields.isEmpty else { return nil }
    return Self.kept(fields.joined(separator: ", "), isOne: fields.count == 1)
  }

  private func loss(ofList intent: Mirror.Intent) throws -> String? {
    guard let list = try mirror.lists().first(where: { intent.path.hasPrefix("\($0.folder)/") }) else { return nil }
    guard let new = intent.new else { return "it was kept, and its list was not deleted" }
    guard intent.path.hasSuffix("/displayname") else {
      return list.color == new ? nil : Self.kept("colour", isOne: true)
    }
    let name = list.name.map { inQuotes(String(decoding: $0, as: UTF8.self)) } ?? "without a name"
    return list.name == new ? nil : Self.kept("name \(name)", isOne: true)
  }

  private static func kept(_ what: String, isOne: Bool) -> String {
    "its \(what) \(isOne ? "was" : "were") kept, and the change made here was lost"
  }

  // The fields of a change that the item does not have, with the text that it has instead. Whoever checks or opens it
  // at the same time wants the same.
  private static func lostFields(from before: Item, to after: Item, in item: Item) -> [String] {
    var lost: [String] = []
    func kept<Value: Equatable>(_ field: KeyPath<Item, Value>, _ words: String) -> Value {
      let value = item[keyPath: field]
      let isLost = before[keyPath: field] != after[keyPath: field] && value != after[keyPath: field]
      if isLost, !lost.contains(words) { lost.append(words) }
      return value
    }
    // A whole content, so that a field which is forgotten does not compile. Its properties follow from the file.
    _ = ItemContent(
      text: kept(\.text, "text \(inQuotes(item.text))"), notes: kept(\.notes, "notes"),
      shouldRemind: kept(\.shouldRemind, "alarms"), alerts: kept(\.alerts, "alarms"), nag: kept(\.nag, "alarms"),
      category: kept(\.category, "category"), key: kept(\.key, "key"), tags: kept(\.tags, "tags"),
      priority: kept(\.priority, "priority"), properties: item.properties)
    _ = (kept(\.due, "due date"), kept(\.zone, "due date"), kept(\.recurrence, "repeat"))
    return lost
  }
}

extension TodoFile {
  fileprivate init(_ bytes: [UInt8], _ text: ItemText) {
    self.init(bytes, planner: text.planner, now: text.now, readsEvents: text.readsEvents)
  }
}
