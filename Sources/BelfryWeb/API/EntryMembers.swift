import BelfryModel
import ItemEntry
import OrderedJSON

extension APIRequest {
  /// The fields of an item in the body.
  ///
  /// - Throws: ``Problem`` 422 that lists each member that is unknown or has an invalid value.
  func itemEntry() throws(Problem) -> ItemEntry {
    var entry = ItemEntry()
    var faults: [FieldFault] = []
    for member in body.members {
      guard let field = ItemField(rawValue: member.key) else {
        faults.append(.unknown(member.key, among: ItemField.allCases.map(\.rawValue)))
        continue
      }
      let kind = field.row.kind
      if let words = kind.words(member.value) {
        entry.values[field] = words
      } else {
        faults.append(FieldFault(member.key, "'\(member.key)' is not \(kind.form)"))
      }
    }
    if let problem = Problem(faults) { throw problem }
    return entry
  }
}

extension FieldRow.Kind {
  /// The words of a member; `nil` for a value that no field of this kind takes.
  fileprivate func words(_ value: JSONValue) -> ItemEntry.Words? {
    switch (self, value) {
    case (.flag, .bool(let isOn)): return .flag(isOn)
    case (.flag, _): return nil
    case (_, .null): return canBeNone ? .clear : nil
    case (.several, .array(let elements)):
      let texts = elements.compactMap(\.stringValue)
      return texts.count == elements.count ? .texts(texts) : nil
    case (.several, _): return nil
    case (_, .string(let text)): return .text(text)
    default: return nil
    }
  }

  fileprivate var form: String {
    switch self {
    case .flag: "true or false"
    case .several: "an array of texts"
    case .line, .lines, .words, .time, .choice, .list, .category: "a text"
    }
  }
}

extension JSONSchema {
  /// The schema of the values that a field of an item takes.
  init(_ field: ItemField) {
    let row = field.row
    let schema: JSONSchema =
      switch row.kind {
      case .flag: .flag
      case .line, .words, .time, .list: .words
      case .lines, .category: .text
      case .several: .array(of: .words)
      case .choice(let choices): .one(of: choices.map(\.value))
      }
    let isNullable = if case .flag = row.kind { false } else { row.kind.canBeNone }
    self = (isNullable ? schema.orNull : schema).described("\(row.about)")
  }
}
