/// A field of a record in a store's file, by its place in the order in which fields are written.
package protocol RecordField: CaseIterable, Hashable, RawRepresentable<Int> {
  /// What the fields make up.
  static var kind: RecordKind { get }
  /// The name in JSON; other formats derive theirs from it.
  var name: StaticString { get }
}

/// One kind of record, for readers and writers that know nothing of its meaning.
package struct RecordKind: Sendable {
  /// A number of its own for each kind, from 0.
  package let number: Int
  /// What the record is called in messages.
  package let noun: String
  /// The names of its fields, in order.
  package let names: [StaticString]

  init<Field: RecordField>(_ number: Int, _ noun: String, _: Field.Type) {
    self.number = number
    self.noun = noun
    names = Field.allCases.map(\.name)
  }
}

extension RecordField {
  /// The field, for writers that know nothing of its meaning.
  package var key: FieldKey { FieldKey(kind: Self.kind.number, index: rawValue, name: name) }
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

/// Every kind of record that a store's file has.
package enum RecordKinds {
  /// The kinds, each at the place that its number says.
  package static let all: [RecordKind] = [
    ListField.kind, ListReminderField.kind, ItemField.kind, ReminderField.kind, MessageField.kind, DeliveryField.kind,
    HeadField.kind,
  ]
}
