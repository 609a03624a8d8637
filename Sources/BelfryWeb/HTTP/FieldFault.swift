import BelfryEngine
import BelfryModel
import ConfigKeys
import ItemEntry

/// The error of one member of a body.
struct FieldFault {
  let field: String
  let detail: String
  let hint: String?

  init(_ field: String, _ detail: String, hint: String? = nil) {
    (self.field, self.detail, self.hint) = (field, detail, hint)
  }

  init(_ field: ItemField, _ error: BelfryError) { self.init(field.rawValue, error.message, hint: error.hint) }

  /// The members of a problem that describe it.
  static let form = ShownForm<FieldFault> { members in
    members.add("field", .text) { $0.field }
    members.add("detail", .text) { $0.detail }
    members.addNullable("hint", .text) { $0.hint }
  }

  /// The error of a member that the operation does not know.
  static func unknown(_ name: String, among known: [String]) -> FieldFault {
    FieldFault(
      name, "there is no member '\(name)'",
      hint: Suggestion.nearest(to: name, among: known).map { "did you mean '\($0)'?" }
        ?? "it takes \(known.joined(separator: ", "))")
  }
}

extension Problem {
  /// The problem of a member that a body lacks.
  init(missing name: String) { self.init(faults: [FieldFault(name, "'\(name)' is missing")]) }

  /// The problem that lists the faults of a body's members; `nil` if there are none.
  init?(_ faults: [FieldFault]) {
    guard !faults.isEmpty else { return nil }
    self.init(faults: faults)
  }

  private init(faults: [FieldFault]) {
    self.init(.unprocessableContent, faults.map(\.detail).joined(separator: "; "), hint: faults.first?.hint)
    errors = faults
  }

  /// The problem of an entry's fields.
  init(_ faults: ItemEntryFaults) {
    self.init(faults: faults.faults.map { FieldFault($0.field, $0.error) })
  }
}
