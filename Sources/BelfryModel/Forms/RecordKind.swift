/// A kind of record, for readers and writers that do not depend on its meaning.
package final class RecordKind: Sendable {
  /// The unique number of the kind: first the kinds in a store's file from 0, then those inside a message's content,
  /// which are always JSON, then the shown kinds.
  package let number: Int
  /// The record's name in messages.
  package let noun: String
  /// The names of its fields in JSON, in the order in which they are written. Other formats derive their names from
  /// these.
  package let names: [StaticString]

  package init(_ number: Int, _ noun: String, _ names: [StaticString]) {
    (self.number, self.noun, self.names) = (number, noun, names)
  }

  /// The offset from a kind's number in files to its number when shown.
  static let firstShown = 32

  /// The index of a field; `nil` for an unknown name.
  func index(of name: some StringProtocol) -> Int? {
    names.firstIndex { $0.withUTF8Buffer { $0.elementsEqual(name.utf8) } }
  }
}

/// A field of any kind of record.
package struct FieldKey: Sendable {
  /// The number of the kind of record.
  package let kind: Int
  /// The index of the field in its kind.
  package let index: Int
  /// The field's name in JSON.
  package let name: StaticString
}
