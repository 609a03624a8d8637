import BelfryModel

/// A field of an item that people write.
package enum ItemField: String, CaseIterable, Sendable {
  case text, list, due
  case timeZone = "time_zone"
  case remind, alerts
  case `repeat`
  case repeatFrom = "repeat_from"
  case nag, category, notes
}

/// The words typed for some fields of an item; the other fields stay as they are.
package struct ItemEntry: Equatable, Sendable {
  /// The words for one field.
  package enum Words: Equatable, Sendable {
    case text(String)
    /// Several texts, one for each alert.
    case texts([String])
    case flag(Bool)
    /// Removes the value.
    case clear
  }

  /// The fields that were written.
  package var values: [ItemField: Words]

  /// An entry of these fields.
  package init(_ values: [ItemField: Words] = [:]) { self.values = values }
}

extension ItemEntry.Words {
  /// The value of a field in a form, where what is empty is none.
  package init(of field: ItemField, inForm value: String) {
    switch field {
    case .text, .list, .remind, .alerts, .notes: self = .text(value)
    case .due, .timeZone, .repeat, .repeatFrom, .nag, .category:
      self = value.isEmpty || value == "none" ? .clear : .text(value)
    }
  }
}

/// All errors of an entry, in the order in which its fields are read: the zone first, then as ``ItemField`` lists them.
package struct ItemEntryFaults: Error, Sendable {
  package let faults: [(field: ItemField, error: BelfryError)]
}
