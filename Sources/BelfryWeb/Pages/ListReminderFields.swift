import BelfryEngine
import BelfryModel
import CivilTime
import ItemEntry
import NaturalDates

/// The contents of the form of a list's own reminder.
struct ListReminderFields: Sendable, SharedFields {
  var date = ""
  var time = ""
  var words = ""
  var rule = ""
  var message = ""
  var zone = ""
  var category = ""
  /// The errors, by the name of a field.
  var errors: [String: String] = [:]

  static var fields: [(name: String, path: WritableKeyPath<Self, String>)] {
    [
      ("due", \.moment), ("repeat", \.rule), ("message", \.message), ("time_zone", \.zone), ("category", \.category),
    ]
  }

  /// The date and the time, or the words for them.
  private var moment: String {
    get { words.trimmingWhitespace().isEmpty ? "\(date) \(time.prefix(5))" : words }
    set {
      let parts = newValue.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      (date, time, words) = (parts.first ?? "", parts.dropFirst().first ?? "", "")
    }
  }

  /// The fields of a reminder; empty ones for none.
  init(_ reminder: ListReminder?) {
    guard let reminder else { return }
    date = String("\(reminder.due.local)".prefix(10))
    time = "\(reminder.due.local.time)"
    rule = reminder.recurrence?.rule.words ?? ""
    message = reminder.message ?? ""
    if case .fixed(let name) = reminder.zone { zone = name }
    category = reminder.category ?? ""
  }

  /// The fields of a form.
  ///
  /// - Throws: ``Problem`` 400 for a value that is not UTF-8.
  init(_ fields: FormFields) throws(Problem) {
    date = try fields.text("date") ?? ""
    time = try fields.text("time") ?? ""
    words = try fields.text("due") ?? ""
    rule = try fields.text("repeat") ?? ""
    message = try fields.text("message") ?? ""
    zone = try fields.text("time_zone") ?? ""
    category = try fields.text("category") ?? ""
  }

  /// The reminder that they ask for; `nil` if a field has an error, which is then in ``errors``.
  ///
  /// - Throws: what the store throws.
  mutating func draft(_ reader: EntryReader) throws -> ListReminderDraft? {
    var errors = self.errors
    func read<Value>(_ name: String, _ body: () throws -> Value) throws -> Value? {
      do {
        return try body()
      } catch let error as BelfryError where error.isForWhoTyped {
        errors[name] = error.forWhoTyped
        return nil
      }
    }
    let itemZone = try read("time_zone") { try zone.isEmpty ? .floating : reader.zone(zone) }
    let picked = [date, String(time.prefix(5))].filter { !$0.isEmpty }.joined(separator: "T")
    let typed = words.trimmingWhitespace().isEmpty ? picked : words
    let at = try read("due") {
      guard !typed.isEmpty else {
        throw BelfryError(.badInput, "when is it to ring", hint: "choose a day, or write words")
      }
      return try reader.wallTime(typed, in: itemZone ?? .floating)
    }
    let repeats = try rule.isEmpty || rule == "none" ? nil : read("repeat") { try reader.rule(rule) }
    let category = try read("category") { try reader.category(self.category) }
    self.errors = errors
    guard errors.isEmpty, let at, let itemZone else { return nil }
    return ListReminderDraft(
      at: at, zone: itemZone, rule: repeats, message: message.trimmingWhitespace().isEmpty ? nil : message,
      category: category.flatMap { $0.isEmpty ? nil : $0 })
  }

  func add(categories: [String], to body: inout HTML) {
    body.markup("<div class=\"pair\">\n")
    add("date", "Date", date, to: &body) { $0.control = .date }
    add("time", "Time", time, to: &body) { $0.control = .time }
    add("due", "Or in words", words, to: &body) { field in
      field.hint = "fri 17:00, tomorrow 9am"
      field.style = "field wide"
    }
    add("repeat", "Repeat", rule, to: &body) { $0.hint = "every day, weekdays, every 2 weeks" }
    add("time_zone", "Time zone", zone, to: &body) { $0.hint = "Europe/Zurich: empty for wherever you are" }
    add("message", "Message", message, to: &body) { $0.hint = "empty for how much is open" }
    if !categories.isEmpty || !category.isEmpty {
      let names = categories + (category.isEmpty || categories.contains(category) ? [] : [category])
      add("category", "Category", category, to: &body) {
        $0.control = .choice([("", "none")] + names.map { ($0, $0) })
      }
    }
    body.markup("</div>\n")
  }

  private func add(
    _ name: String, _ label: StaticString, _ value: String, to body: inout HTML, _ change: (inout Field) -> Void
  ) {
    var field = Field(name, label, value: value, error: errors[name])
    change(&field)
    field.add(to: &body)
  }
}
