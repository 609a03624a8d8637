/// One kind of record, for readers and writers that know nothing of its meaning.
package final class RecordKind: Sendable {
  /// A number of its own for each kind: those of a store's file from 0, then those inside a message's content, which are
  /// always in JSON, then those that people see.
  package let number: Int
  /// The record's name in messages.
  package let noun: String
  /// The names of its fields in JSON, in the order in which they are written; other formats derive theirs from them.
  package let names: [StaticString]

  package init(_ number: Int, _ noun: String, _ names: [StaticString]) {
    (self.number, self.noun, self.names) = (number, noun, names)
  }

  /// The number that is added for a kind as people see it.
  static let firstShown = 16

  /// The place of a field in the order; nil for a name that no field has.
  package func index(of name: some StringProtocol) -> Int? {
    names.firstIndex { $0.withUTF8Buffer { $0.elementsEqual(name.utf8) } }
  }

  /// Every kind that a file has, each at the place that its number says.
  package static let all: [RecordKind] = [
    ListRecord.form.kind, ListReminderRecord.form.kind, ItemRecord.form.kind, ReminderRecord.form.kind,
    Message.form.kind, DeliveryRecord.form.kind, StoreHead.kind,
  ]
}

/// A field of any kind of record.
package struct FieldKey: Sendable {
  /// The number of the kind of record.
  package let kind: Int
  /// The field's place in the order of the kind.
  package let index: Int
  /// The field's name in JSON.
  package let name: StaticString
}
