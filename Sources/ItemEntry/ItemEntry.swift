import BelfryModel

/// The words typed for some fields of an item; the other fields stay as they are.
package struct ItemEntry: Equatable, Sendable {
  /// The words for one field.
  package enum Words: Equatable, Sendable {
    case text(String)
    case texts([String])
    case flag(Bool)
    case clear
  }

  /// The fields that were written.
  package var values: [ItemField: Words]

  /// An entry of these fields.
  package init(_ values: [ItemField: Words] = [:]) { self.values = values }
}

extension ItemEntry.Words {
  /// The value of a field in a form, in which an empty text means none.
  package init(of field: ItemField, inForm value: String) {
    self = value.isEmpty && field.row.kind.canBeNone ? .clear : .text(value)
  }

  /// The value in a form.
  package var inForm: String {
    switch self {
    case .text(let text): text
    case .texts(let texts): texts.joined(separator: ", ")
    case .flag(let isOn): isOn ? "yes" : "no"
    case .clear: ""
    }
  }
}

/// All errors of an entry, in the order in which its fields are read: the zone first, then as ``ItemField`` lists them.
package struct ItemEntryFaults: Error, Sendable {
  package let faults: [(field: ItemField, error: BelfryError)]
}
