import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

/// Writes a record as JSON for output: with every field, `null` for missing values, and instants in a zone.
final class ShownRecord: RecordOutput {
  static func json<Root: Record>(_ record: Root, in zone: Zone) -> JSONValue {
    let output = ShownRecord(zone)
    // This output accepts every value, so writing cannot fail.
    try? Root.form.write(record, to: output)
    return .object(output.members)
  }

  var clock: ShownClock?
  var isShowing: Bool { clock != nil }
  private var members = JSONObject()
  private let zone: Zone

  private init(_ zone: Zone) { (self.zone, clock) = (zone, .zone(zone)) }

  // Records for output contain no other records.
  func open(_ field: FieldKey?) {}
  func close(_ unknown: UnknownFields?) {}
  func write(_ field: FieldKey, records count: Int, each write: (Int) throws -> Void) {}
  func write(_ field: FieldKey, json count: Int, each json: (Int) -> [UInt8]) {}

  func writeNull(_ field: FieldKey) { add(field, .null) }
  func write(_ field: FieldKey, _ text: String) { add(field, .string(text)) }
  func write(_ field: FieldKey, _ number: Int64) { add(field, .integer(number)) }
  func write(_ field: FieldKey, _ isTrue: Bool) { add(field, .bool(isTrue)) }
  func write(_ field: FieldKey, _ instant: Date) { add(field, .string(zone.rfc3339(instant))) }
  func write(_ field: FieldKey, _ time: WallTime) { add(field, .string(time.description)) }
  func write(_ field: FieldKey, _ identity: UUID) { add(field, .string(identity.text)) }
  func write(_ field: FieldKey, _ texts: [String]) { add(field, .array(texts.map { .string($0) })) }

  private func add(_ field: FieldKey, _ value: JSONValue) { members.append("\(field.name)", value) }
}
