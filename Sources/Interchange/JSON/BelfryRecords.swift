import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

/// Makes entries of the records in Belfry's own files.
struct BelfryRecords {
  let context: ImportContext

  func list(_ json: JSONRecord) -> ImportEntry {
    json.entry(ListRecord.self) { record throws(EntryFault) in try list(record, place: "line \(json.line)") }
  }

  func item(_ json: JSONRecord) -> ImportEntry {
    json.entry(ItemRecord.self) { record throws(EntryFault) in try item(record, place: "line \(json.line)") }
  }

  func list(_ record: ListRecord, place _: String) throws(EntryFault) -> ImportEntry {
    var list = ImportedList(
      name: record.name, uuid: record.uuid, reminder: try record.reminder.map(reminder),
      createdAt: record.createdAt?.wholeSeconds, updatedAt: record.updatedAt?.wholeSeconds)
    (list.color, list.icon) = (record.color, record.icon)
    return .list(list)
  }

  private func reminder(_ record: ListReminderRecord) throws(EntryFault) -> ImportedListReminder {
    guard let at = try wallTime(record.due, in: record.zone) else {
      throw EntryFault(reason: "its reminder has no \"due_local\"")
    }
    return ImportedListReminder(
      ListReminderDraft(
        at: at, zone: record.zone, rule: record.recurrence.rule, message: record.message, category: record.category),
      repeatStart: record.recurrence.start, snoozedUntil: record.snoozedUntil)
  }

  func item(_ record: ItemRecord, place: String) throws(EntryFault) -> ImportEntry {
    // An event belongs to its calendar: outside of it no program would end it.
    guard !record.item.isEvent else { return .leftOut("VEVENT") }
    let due = try wallTime(record.due, in: record.item.zone)
    var item = ImportedItem(
      record.item.content, itemID: record.id, uuid: record.uuid, isChecked: record.item.isChecked,
      due: due.map { .local($0, record.item.zone) }, place: place)
    item.content.takeFields()
    item.notes = item.notes ?? ""
    item.shouldRemind = record.shouldRemind ?? (due != nil)
    if item.alerts == [.zero] { item.alerts = [] }
    (item.rule, item.repeatStart) = (record.recurrence.rule, record.recurrence.start)
    item.repeatOrigin = record.recurrence.origin ?? .due
    (item.lastChecked, item.snoozedUntil) = (record.lastChecked, record.snoozedUntil)
    (item.createdAt, item.updatedAt) = (record.createdAt?.wholeSeconds, record.updatedAt?.wholeSeconds)
    item.checkedAt = record.item.checkedAt?.wholeSeconds
    return .item(item, list: record.list ?? context.defaultListName)
  }

  // The wall-clock time counts. A hand edit may give only the instant, which is converted on the item's clock.
  private func wallTime(_ due: DueParts, in zone: ItemZone) throws(EntryFault) -> WallTime? {
    if let local = due.local { return local }
    guard let instant = due.instant else { return nil }
    do {
      return try context.planner.zone(zone).wallTime(at: instant)
    } catch {
      throw EntryFault(reason: (error as? BelfryError)?.message ?? "\(error)")
    }
  }
}

extension JSONRecord {
  /// The entry of the record, or its refusal.
  fileprivate func entry<Root: Record>(
    _: Root.Type, _ make: (Root) throws(EntryFault) -> ImportEntry
  ) -> ImportEntry {
    let record = bytes.withUnsafeBytes { bytes in
      Result { () throws(FormFault) in try Root(json: bytes, isStrict: false) }
    }
    switch record {
    case .success(let record): return entry { () throws(EntryFault) in try make(record) }
    // The message says if the record is not JSON, or not an object.
    case .failure(let fault):
      return entry { (fields: JSONFields) throws(EntryFault) in throw EntryFault(fault, in: fields.object) }
    }
  }
}

extension EntryFault {
  fileprivate init(_ fault: FormFault, in object: JSONObject) {
    let its = "its \"\(fault.field)\""
    switch fault.reason {
    case .missing, .null: self.init(reason: "it has no \"\(fault.field)\"")
    case .mismatch(_, let wanted):
      self.init(reason: "\(its) is \(object[fault.field]?.kind ?? "missing"), not \(Self.words[wanted] ?? wanted)")
    case .invalid(let text, let article, let noun, let example):
      let example = example.map { " like \($0)" } ?? ""
      self.init(reason: "\(its) is \(inQuotes(text)), not \(article) \(noun)\(example)")
    case .rule(let text, let error): self.init(reason: "\(its) \(inQuotes(text)): \(error)")
    case .word(let text, let words):
      self.init(reason: "\(its) is \(inQuotes(text)), not \(words.joined(separator: " or "))")
    case .sentence(let sentence): self.init(reason: fault.field.isEmpty ? sentence : "\(its): \(sentence)")
    case .newer: self.init(reason: fault.message)
    }
  }

  private static let words = [
    "a text": "text", "a list of texts": "an array of texts", "a list's reminder": "an object",
  ]
}
