import BelfryModel
import OrderedJSON

/// The task lists of a Google Takeout, `Takeout/Tasks/Tasks.json`: an object whose items are lists, whose items are
/// tasks.
struct GoogleTasksSource: ColumnedSource {
  private var entries: [ImportEntry].Iterator
  /// The fields of the tasks, in the order of their first appearance.
  let columns: [ColumnMeaning]

  /// Reads the whole file.
  ///
  /// - Throws: ``ImportError`` for a file that is not JSON or has no lists.
  init(_ bytes: ByteSource, context: ImportContext) throws {
    var json = JSONStream(bytes)
    let file: JSONValue
    do {
      file = try json.value().parsed()
    } catch let fault as JSONRecordFault {
      throw ImportError(message: "line \(fault.line): \(fault.reason)")
    }
    guard try json.nextByte() == nil else { throw try json.unexpected(wanted: "the end of the file") }
    guard let items = file["items"]?.arrayValue else {
      throw ImportError(
        message: "expected the task lists of a Google Takeout, {\"kind\":\"tasks#taskLists\",\"items\":[…]}")
    }
    // Tasks have a status, lists have none.
    let isOneList = file["kind"]?.stringValue == "tasks#tasks" || items.contains { $0["status"]?.stringValue != nil }
    var reader = GoogleTasks(context: context)
    for (index, list) in (isOneList ? [file] : items).enumerated() { reader.add(list, number: index + 1) }
    entries = reader.entries.makeIterator()
    columns = reader.fields.map { ColumnMeaning(name: $0, meaning: GoogleTasks.meaning(of: $0)) }
  }

  mutating func next() -> ImportEntry? { entries.next() }
}
