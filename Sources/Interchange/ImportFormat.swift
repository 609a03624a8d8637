/// The formats that an import reads, by their names for `--format`.
package enum ImportFormat: String, CaseIterable, Hashable, Sendable {
  /// Belfry's own JSON: the file of a JSON store, or the array that `show --json` prints.
  case belfry = "json"
  /// Belfry's own property list: the file of a plist store.
  case propertyList = "plist"
  /// iCalendar (RFC 5545): the VTODOs of a calendar.
  case calendar = "ics"
  /// Plain text, one task a line (todotxt.org).
  case todoTxt = "todo.txt"
  /// Belfry's own table: the CSV that an export writes.
  case table = "csv"
  /// The output of `task export`.
  case taskwarrior
  /// A project that Todoist exported as CSV.
  case todoist
  /// The CSV of a TickTick backup.
  case tickTick = "ticktick"
  /// The tasks that Outlook exports as CSV, Microsoft To Do's among them.
  case outlook
  /// `Tasks.json` of a Google Takeout.
  case googleTasks = "google-tasks"
  /// `Checklists.plist` of a Checklists app.
  case checklists
  /// A property list with an array of texts.
  case shoppingList = "shopping-list"
  /// The dictionary `todoItems` of an app's defaults.
  case todoItems = "todo-items"
}

/// The formats that an export writes, by their names for `--format`.
package enum ExportFormat: String, CaseIterable, Hashable, Sendable {
  /// Belfry's own JSON: the file of a JSON store.
  case belfry = "json"
  /// Belfry's own property list: the file of a plist store.
  case propertyList = "plist"
  /// iCalendar (RFC 5545).
  case calendar = "ics"
  /// Plain text, one task a line (todotxt.org).
  case todoTxt = "todo.txt"
  /// A table with a header (RFC 4180).
  case table = "csv"
}
