import BelfryModel
import CivilTime
import FoundationEssentials

struct ImportInProgress {
  let change: Change
  /// The list for all items; `nil` for the lists that the file names.
  private let target: Checklist?
  /// The lowest id for an item of this import.
  let firstFreeID: Int64
  var report = ImportReport()
  private var lists: [String: Checklist] = [:]
  private var lastList: (name: String, id: Int64)?
  /// The last list that was looked up by name, without adding a missing one.
  private var presentList: (name: String, list: Checklist?)?
  private var touched: Set<Int64> = []
  /// The SEQUENCE (RFC 5545 section 3.8.7.4) of items, if it is not 0.
  private var sequences: [Int64: Int] = [:]
  /// The items that continue repeating ones after a changed or excluded occurrence, by the UUID of the repeating item.
  var continuations: [UUID: Int64] = [:]
  /// The occurrences still to be taken out, by item id.
  var exceptions: [Int64: ImportedExceptions] = [:]
  private var identities = DerivedIdentities()
  private var branch = ImportedBranch()

  /// The largest id: beyond it JSON readers lose digits, and counting on would overflow.
  private static let largestID: Int64 = 1 << 53

  /// A new import.
  ///
  /// - Throws: ``BelfryError`` `.notFound` for `target`.
  init(change: Change, target: ListChoice?) throws {
    self.change = change
    firstFreeID = try change.transaction.counters().nextItemID
    guard let target else {
      self.target = nil
      return
    }
    let isNew = try change.transaction.list(target) == nil
    let list = try change.findOrAdd(target)
    self.target = list
    if isNew { report.newLists.append(list.name) }
  }

  /// Imports an entry; returns an event if it was refused, or if a value of it is not understood.
  mutating func take(_ entry: ImportEntry) throws -> ImportEvent? {
    switch entry {
    case .list(let list):
      return try unlessRefused(at: "list \(inQuotes(list.name))") { importing in
        if importing.target == nil { try importing.take(list) }
      }.map(ImportEvent.refused)
    case .item(let item, let listName):
      let count = report.added.count
      let refusal = try unlessRefused(at: item.place) { try $0.take(item, fromListNamed: listName) }
      if let refusal { return .refused(refusal) }
      return report.added.count > count ? note(item.notUnderstood, at: item.place) : nil
    case .occurrence(let occurrence, let listName):
      return try unlessRefused(at: occurrence.item.place) { try $0.take(occurrence, fromListNamed: listName) }
        .map(ImportEvent.refused)
    case .refusal(let refusal):
      refuse(refusal)
      return .refused(refusal)
    case .leftOut(let word):
      report.leftOut[word, default: 0] += 1
      return nil
    }
  }

  /// Takes out the excluded occurrences and updates the reminders of lists that got items.
  ///
  /// - Parameter refused: called for each occurrence that cannot be taken out.
  mutating func finish(refused: (ImportRefusal) throws -> Void) throws {
    for id in exceptions.keys.sorted() {
      let refusal = try unlessRefused(at: exceptions[id]?.place ?? "") { try $0.takeOutExceptions(of: id) }
      if let refusal { try refused(refusal) }
    }
    try change.itemsChanged(on: touched)
    // Items that were known before stay on their lists, so a target that this import has made is not needed.
    if let target, report.added.isEmpty, !report.newLists.isEmpty {
      try change.remove(target)
      report.newLists = []
    }
  }

  private mutating func unlessRefused(
    at place: String, _ body: (inout ImportInProgress) throws -> Void
  ) throws -> ImportRefusal? {
    do {
      try body(&self)
      return nil
    } catch let error as BelfryError where error.kind == .badInput || error.kind == .usage {
      let refusal = ImportRefusal(place: place, reason: error.message)
      refuse(refusal)
      return refusal
    }
  }

  private mutating func note(_ notUnderstood: [String], at place: String) -> ImportEvent? {
    guard !notUnderstood.isEmpty else { return nil }
    let told = ImportRefusal(place: place, reason: notUnderstood.joined(separator: "; "))
    report.notUnderstoodCount += 1
    report.firstNotUnderstood = report.firstNotUnderstood ?? told
    return .notUnderstood(told)
  }

  private mutating func refuse(_ refusal: ImportRefusal) {
    report.refusedCount += 1
    if report.firstRefusal == nil { report.firstRefusal = refusal }
  }
}

// MARK: Lists

extension ImportInProgress {
  private mutating func take(_ imported: ImportedList) throws {
    let name = try TextRules.listName(imported.name)
    let key = Checklist.nameKey(name)
    guard lists[key] == nil else { return }
    let list = try known(imported, named: name) ?? added(imported, named: name)
    lists[key] = list
    touched.insert(list.id)
  }

  // Matched by UUID first, since the list may have another name here.
  private func known(_ imported: ImportedList, named name: String) throws -> Checklist? {
    if let uuid = imported.uuid, let list = try change.transaction.list(uuid: uuid) { return list }
    return try change.transaction.list(named: name)
  }

  private mutating func added(_ imported: ImportedList, named name: String) throws -> Checklist {
    let createdAt = try stamp(imported.createdAt, of: "its creation") ?? change.stamp
    let updatedAt = try stamp(imported.updatedAt, of: "its last change") ?? change.stamp
    let reminder = try imported.reminder.map { try change.reminder($0) }
    let made = try change.addList(name: name, uuid: imported.uuid ?? UUID(), at: createdAt)
    report.newLists.append(name)
    guard reminder != nil || imported.color != nil || imported.icon != nil || updatedAt != createdAt else {
      return made
    }
    var list = made
    (list.reminder, list.color, list.icon) = (reminder, imported.color, imported.icon)
    list.updatedAt = updatedAt
    try change.update(list, from: made)
    _ = try schedule(change.planner.plan(of: list), snoozedUntil: imported.reminder?.snoozedUntil)
    return list
  }

  private mutating func listID(named name: String) throws -> Int64 {
    if let target { return target.id }
    if let lastList, lastList.name == name { return lastList.id }
    let key = Checklist.nameKey(name.trimmingWhitespace())
    if lists[key] == nil { try take(ImportedList(name: name)) }
    guard let list = lists[key] else { throw BelfryError.noList(name, known: []) }
    lastList = (name, list.id)
    return list.id
  }
}

// MARK: Items

extension ImportInProgress {
  mutating func take(_ imported: ImportedItem, fromListNamed listName: String) throws {
    var imported = imported
    if let parent = branch.parent(at: imported.depth) { imported.properties.append("RELATED-TO:\(parent.text)") }
    let (uuid, known) = try identify(imported, fromListNamed: listName)
    if let known { return try take(imported, over: known, fromListNamed: listName) }
    let listID = try listID(named: listName)
    let item = try change.addItem(listID: listID, preferredID: try preferredID(imported)) { id, position in
      try build(imported, id: id, uuid: uuid, listID: listID, position: position)
    }
    touched.insert(listID)
    branch.end(in: uuid)
    report.added.append(item.id)
    count(item, 1)
    if let sequence = imported.sequence, sequence != 0 { sequences[item.id] = sequence }
    exceptions[item.id] = ImportedExceptions(of: imported, uuid: uuid)
    report.scheduledCount += try schedule(item, snoozedUntil: imported.snoozedUntil)
    if let own = imported.itemID, own != item.id {
      report.renumbered.append(Renumbering(own: own, given: item.id))
    }
  }

  // An item without an identity has one by the list that it is imported into. The file may also have been imported
  // without naming that list, or by a version that went by the file's name of it.
  private mutating func identify(
    _ imported: ImportedItem, fromListNamed listName: String
  ) throws -> (uuid: UUID, known: Item?) {
    if let uuid = imported.uuid { return (uuid, try known(imported, uuid)) }
    let byName = identities.uuid(of: imported, onListNamed: listName)
    guard let target else {
      let byList = try presentList(named: listName).map { identities.uuid(of: imported, on: $0) }
      let known = try known(imported, byName) ?? byList.flatMap { try change.transaction.item(uuid: $0)?.item }
      return (byName, known)
    }
    let byList = identities.uuid(of: imported, on: target)
    if let known = try known(imported, byList) { return (byList, known) }
    let earlier = try change.transaction.item(uuid: byName)?.item
    return (byList, earlier?.listID == target.id ? earlier : nil)
  }

  private mutating func presentList(named name: String) throws -> Checklist? {
    if let presentList, presentList.name == name { return presentList.list }
    let list = try change.transaction.list(named: name.trimmingWhitespace())
    presentList = (name, list)
    return list
  }

  // A key identifies an item as a UUID does.
  private func known(_ imported: ImportedItem, _ uuid: UUID) throws -> Item? {
    if let listing = try change.transaction.item(uuid: uuid) { return listing.item }
    return try imported.key.flatMap { try change.transaction.item(key: TextRules.key($0)) }?.item
  }

  // Leaves items from before the import unchanged. Of two versions in one file, the later one wins.
  private mutating func take(_ imported: ImportedItem, over known: Item, fromListNamed listName: String) throws {
    branch.end(in: known.uuid)
    guard let sequence = imported.sequence, known.id >= firstFreeID else {
      report.knownCount += 1
      return
    }
    let listID = try listID(named: listName)
    let position = listID == known.listID ? known.position : try change.transaction.endPosition(listID: listID)
    let new = try build(imported, id: known.id, uuid: known.uuid, listID: listID, position: position)
    report.leftOut["older version of an item", default: 0] += 1
    guard (sequence, new.updatedAt) > (sequences[known.id] ?? 0, known.updatedAt) else { return }
    sequences[known.id] = sequence
    exceptions[known.id] = ImportedExceptions(of: imported, uuid: known.uuid)
    touched.insert(listID)
    try replace(known, with: new, snoozedUntil: imported.snoozedUntil)
  }

  /// Replaces an item of this import.
  mutating func replace(_ old: Item, with new: Item, snoozedUntil: Date? = nil) throws {
    report.scheduledCount -= try change.cancelReminders(of: .item(old.id))
    count(old, -1)
    try change.update(new, from: old)
    count(new, 1)
    report.scheduledCount += try schedule(new, snoozedUntil: snoozedUntil, isNew: false)
  }

  /// Adds `number` to the counts to which an item belongs.
  private mutating func count(_ item: Item, _ number: Int) {
    if item.isOverdue(at: change.now) {
      report.overdueCount += number
    } else if !item.isChecked, !item.shouldRemind, item.due != nil {
      report.silentCount += number
    }
  }

  /// Records an added item and schedules its reminders.
  mutating func keep(_ item: Item) throws {
    report.added.append(item.id)
    count(item, 1)
    report.scheduledCount += try schedule(item, snoozedUntil: nil)
  }

  private func preferredID(_ imported: ImportedItem) throws -> Int64? {
    guard let own = imported.itemID, own >= firstFreeID, own <= Self.largestID else { return nil }
    return try change.transaction.item(id: own) == nil ? own : nil
  }

  private func build(
    _ imported: ImportedItem, id: Int64, uuid: UUID, listID: Int64, position: Int64
  ) throws -> Item {
    let (due, zone) = try due(imported.due)
    return Item(
      id: id, uuid: uuid, listID: listID, position: position, content: try imported.content.normalized(),
      isChecked: imported.isChecked, due: due, zone: zone, recurrence: try change.recurrence(imported, due: due),
      lastChecked: imported.lastChecked,
      createdAt: try stamp(imported.createdAt, of: "its creation") ?? change.stamp,
      updatedAt: try stamp(imported.updatedAt, of: "its last change") ?? change.stamp,
      checkedAt: try stamp(imported.checkedAt, of: "its completion") ?? (imported.isChecked ? change.stamp : nil))
  }

  private func due(_ imported: ImportedDue?) throws -> (DueDate?, ItemZone) {
    switch imported {
    case nil: return (nil, .floating)
    case .local(let time, let zone)?: return (try change.planner.resolve(time, in: change.planner.zone(zone)), zone)
    case .instant(let instant)?:
      // The user meant a wall-clock time, which is read in the zone that the other app would have used here.
      let fireDate: FireDate
      do { fireDate = try FireDate(instant) } catch { throw BelfryError(.badInput, "its due date: \(error)") }
      let zone = change.planner.floatingZone
      return (try change.planner.resolve(zone.wallTime(at: fireDate.date), in: zone), .floating)
    }
  }

  // Returns the number of reminders that were scheduled.
  private func schedule(_ item: Item, snoozedUntil: Date?, isNew: Bool = true) throws -> Int {
    try change.reschedule(item, isNew: isNew).scheduled.count
      + schedule(change.planner.plan(of: item), snoozedUntil: snoozedUntil)
  }

  private func schedule(_ plan: OwnerPlan?, snoozedUntil: Date?) throws -> Int {
    guard let plan, let snoozedUntil, let end = try? FireDate(snoozedUntil), end.date > change.now else { return 0 }
    return try change.schedule(plan.snooze(of: plan.series.due, until: end)) == nil ? 0 : 1
  }
}
