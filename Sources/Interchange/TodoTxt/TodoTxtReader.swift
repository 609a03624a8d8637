import BelfryCore
import Foundation
import RecurrenceRules

/// What one line of a todo.txt file stands for (github.com/todotxt/todo.txt).
///
/// The marks come off the text: the first `+project` is the list, `@context` and further projects are kept beside the
/// item. A `key:value` that is not known here stays in the text.
struct TodoTxtReader {
  let context: ImportContext

  func entry(_ line: String, place: String) throws(EntryFault) -> ImportEntry {
    var words = line.split(separator: " ", omittingEmptySubsequences: false)[...]
    var task = TodoTxtTask()
    try readHead(&words, into: &task)
    var text: [Substring] = []
    for word in words where try !take(word, into: &task) { text.append(word) }
    return .item(
      try item(task, text: task.text ?? text.joined(separator: " "), place: place),
      list: task.projects.first ?? context.defaultListName)
  }

  // The mark and date of completion, the priority, the date of creation: each before the next.
  private func readHead(_ words: inout ArraySlice<Substring>, into task: inout TodoTxtTask) throws(EntryFault) {
    if words.first == "x", words.count > 1 {
      words.removeFirst()
      task.isChecked = true
    }
    if let letter = words.first.flatMap(Self.priority) {
      words.removeFirst()
      task.priority = letter
    }
    if let date = try Self.date(words.first, "its first date") {
      words.removeFirst()
      if task.isChecked { task.completed = date } else { task.created = date }
      if task.isChecked, let date = try Self.date(words.first, "its date of creation") {
        words.removeFirst()
        task.created = date
      }
    }
  }

  private static func priority(_ word: Substring) -> Character? {
    let letters = Array(word)
    guard letters.count == 3, letters[0] == "(", letters[2] == ")", "A"..."Z" ~= letters[1] else { return nil }
    return letters[1]
  }

  private static func date(_ word: Substring?, _ what: String) throws(EntryFault) -> CivilDate? {
    guard let word, CivilDate.isDate(word) else { return nil }
    guard let date = CivilDate(parsing: word) else { throw EntryFault(reason: "\(what) is \(word), a day that is not") }
    return date
  }

  // Whether a word is a mark and not a part of the text.
  private func take(_ word: Substring, into task: inout TodoTxtTask) throws(EntryFault) -> Bool {
    if let first = word.first, first == "+" || first == "@", word.utf8.count > 1 {
      let name = PercentCoding.decoded(word.dropFirst())
      if first == "+" { task.projects.append(name) } else { task.contexts.append(name) }
      return true
    }
    guard let colon = word.firstIndex(of: ":"), colon > word.startIndex else { return false }
    let value = word[word.index(after: colon)...]
    guard !value.isEmpty, let key = TodoTxtKey(rawValue: String(word[..<colon])) else { return false }
    return try task.take(key, value, defaultTime: context.defaultTime)
  }

  private func item(_ task: TodoTxtTask, text: String, place: String) throws(EntryFault) -> ImportedItem {
    let zone = context.planner.floatingZone
    var item = ImportedItem(
      uuid: task.uuid, text: text, notes: task.notes ?? "", isChecked: task.isChecked,
      due: task.due.map { .local($0, task.zone) }, shouldRemind: task.shouldRemind ?? (task.due != nil), place: place)
    item.createdAt = task.created.map { zone.start(of: $0) }
    item.checkedAt = task.completed.map { zone.start(of: $0) }
    item.alerts = task.alerts
    item.nag = task.nag
    item.category = task.category
    item.properties = task.properties
    guard let due = task.due else { return item }
    item.repeatStart = task.start
    if let rule = task.rule {
      item.rule = rule
      item.repeatOrigin = task.isFromDone ? .done : .due
    } else if let period = task.period {
      guard let rule = period.rule(from: task.start ?? due) else {
        throw EntryFault(
          reason: "its rec:\(period) cannot be kept: of working days there are rec:1b and multiples of five")
      }
      item.rule = rule
      item.repeatOrigin = period.isStrict ? .due : .done
    }
    return item
  }
}
