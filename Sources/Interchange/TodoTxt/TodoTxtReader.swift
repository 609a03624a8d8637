import BelfryModel
import CivilTime
import FoundationEssentials
import SystemFiles

/// Reads one line of a todo.txt file (github.com/todotxt/todo.txt).
///
/// Marks are removed from the text: the first `+project` is the list, each `@context` a tag; further projects become
/// properties of the item. An unknown `key:value` stays in the text.
struct TodoTxtReader {
  let context: ImportContext

  func entry(_ line: String, place: String) throws(EntryFault) -> ImportEntry {
    var words = TodoTxtWords(line)
    var task = TodoTxtTask()
    try readHead(&words, into: &task)
    var text: String?
    for word in words where try !readMark(word, into: &task) {
      if text == nil { text = "" } else { text?.append(" ") }
      text?.append(contentsOf: TodoTxtMarks.unprotected(word))
    }
    return .item(
      try item(task, text: task.text ?? text ?? "", place: place),
      list: task.projects.first ?? context.defaultListName)
  }

  // The completion mark, the priority, the dates of completion and creation, in this order.
  private func readHead(_ words: inout TodoTxtWords, into task: inout TodoTxtTask) throws(EntryFault) {
    if words.first == "x", words.hasMore {
      _ = words.next()
      task.isChecked = true
    }
    if let letter = words.first.flatMap(Self.priority) {
      _ = words.next()
      task.priority = letter
    }
    if let date = try Self.date(words.first, "its first date") {
      _ = words.next()
      if task.isChecked { task.completed = date } else { task.created = date }
      if task.isChecked, let date = try Self.date(words.first, "its date of creation") {
        _ = words.next()
        task.created = date
      }
    }
  }

  private static func priority(_ word: Substring) -> Character? {
    let letters = Array(word.utf8.prefix(4))
    guard letters.count == 3, letters[0] == UInt8(ascii: "("), letters[2] == UInt8(ascii: ")") else { return nil }
    return TodoTxtPriority.letter(letters[1])
  }

  private static func date(_ word: Substring?, _ what: String) throws(EntryFault) -> CivilDate? {
    guard let word, CivilDate.isDate(word) else { return nil }
    guard let date = CivilDate(parsing: word) else {
      throw EntryFault(reason: "\(what) is \(word), which does not exist")
    }
    return date
  }

  // Returns whether a word is a mark and not a part of the text.
  private func readMark(_ word: Substring, into task: inout TodoTxtTask) throws(EntryFault) -> Bool {
    if let name = word.rest(after: "+") {
      task.projects.append(PercentCoding.decoded(name))
    } else if let name = word.rest(after: "@") {
      task.contexts.append(PercentCoding.decoded(name))
    } else {
      guard let parts = word.keyAndValue, let key = TodoTxtKey(parts.key) else { return false }
      return try task.setField(key, parts.value, context: context)
    }
    try task.checkMarks()
    return true
  }

  private func thresholdToCountFrom(_ task: TodoTxtTask) -> WallTime? {
    guard task.countsFromThreshold, let day = task.threshold else { return nil }
    return WallTime(date: day, time: task.time ?? context.defaultTime)
  }

  private func item(_ task: TodoTxtTask, text: String, place: String) throws(EntryFault) -> ImportedItem {
    let zone = context.planner.floatingZone
    var content = ItemContent(
      text: text, notes: task.notes ?? "", shouldRemind: task.shouldRemind ?? (task.due != nil), alerts: task.alerts,
      nag: task.nag, category: task.category, key: task.key, tags: .empty, priority: nil, properties: task.properties)
    content.takeFields()
    let due = task.due ?? thresholdToCountFrom(task)
    var item = ImportedItem(
      content, uuid: task.uuid, isChecked: task.isChecked, due: due.map { .local($0, task.zone) }, place: place)
    item.createdAt = task.created.map { zone.start(of: $0) }
    item.checkedAt = task.completed.map { zone.start(of: $0) }
    guard let due else { return item }
    item.repeatStart = task.start
    if let rule = task.rule {
      item.rule = rule
      item.repeatOrigin = task.isFromDone ? .done : .due
    } else if let period = task.period {
      guard let rule = period.rule(from: task.start ?? due) else {
        throw EntryFault(
          reason: "its rec:\(period) is not supported: with a plus, only 1b and multiples of five are")
      }
      item.rule = rule
      item.repeatOrigin = period.isStrict ? .due : .done
    }
    return item
  }
}
