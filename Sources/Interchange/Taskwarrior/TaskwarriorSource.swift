import BelfryModel
import FoundationEssentials
import OrderedJSON

/// The tasks in the output of `task export`: an array of objects, or objects in a row, with or without commas.
///
/// Deleted tasks are left out and counted.
struct TaskwarriorSource: ImportSource {
  private var json: JSONStream
  private let tasks: TaskwarriorTasks
  private var isInArray: Bool?
  private var isFirst = true

  init(_ bytes: ByteSource, context: ImportContext) {
    json = JSONStream(bytes)
    tasks = TaskwarriorTasks(context: context)
  }

  mutating func next() throws -> ImportEntry? {
    if isInArray == nil { isInArray = try json.consume("[") }
    guard try startTask() else { return nil }
    isFirst = false
    guard try json.nextByte() == UInt8(ascii: "{") else { throw try json.unexpected(wanted: "a task in braces") }
    let record = try json.value()
    return record.entry { try tasks.entry($0, line: record.line) }
  }

  // Returns whether another task follows.
  private mutating func startTask() throws -> Bool {
    guard isInArray == true else {
      if !isFirst { _ = try json.consume(",") }
      return try json.nextByte() != nil
    }
    if try json.consume("]") {
      guard try json.nextByte() == nil else { throw try json.unexpected(wanted: "the end of the file") }
      isInArray = false
      return false
    }
    if !isFirst, try !json.consume(",") { throw try json.unexpected(wanted: "\",\" or \"]\"") }
    return true
  }
}
