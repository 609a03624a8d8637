import FoundationEssentials
import OrderedJSON

/// Writes a record as people and programs see it in JSON: every field, `null` where there is none, instants in a zone.
final class ShownRecord<Members: JSONMembers>: RecordOutput {
  /// Adds the fields of a record to an object.
  static func write<Root: Record>(_ record: Root, in zone: Zone, _ members: inout Members) {
    let output = ShownRecord(members, zone)
    // Nothing here refuses a value.
    try? Root.form.show(record, to: output)
    members = output.members
  }

  let isComplete = true
  private var members: Members
  private let zone: Zone

  private init(_ members: Members, _ zone: Zone) { (self.members, self.zone) = (members, zone) }

  // No record that is shown has another one inside.
  func open(_ field: FieldKey?) {}
  func close(_ unknown: UnknownFields?) {}

  func writeNull(_ field: FieldKey) { members.addNull(field.name) }
  func write(_ field: FieldKey, _ text: String) { members.add(field.name, text) }
  func write(_ field: FieldKey, _ number: Int64) { members.add(field.name, number) }
  func write(_ field: FieldKey, _ isTrue: Bool) { members.add(field.name, isTrue) }
  func write(_ field: FieldKey, _ instant: Date) { members.add(field.name, instant, in: zone) }
  func write(_ field: FieldKey, _ time: WallTime) { members.add(field.name, time) }
  func write(_ field: FieldKey, _ identity: UUID) { members.add(field.name, identity) }
  func write(_ field: FieldKey, _ texts: [String]) { members.add(field.name, texts) }

  func write(_ field: FieldKey, _ contents: [ReminderContent]) {
    members.add(field.name, contents.map { String(decoding: $0.json, as: UTF8.self) })
  }
}
