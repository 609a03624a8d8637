import BelfryModel
import CivilTime
import ConfigKeys

/// The names that templates may use.
enum TemplateNames {
  /// Every name that a message can have, at any depth.
  static let known = Set(
    ItemRecord.form.shownNames + ReminderContent.form.shownNames + ReminderAlert.form.shownNames
      + ListSnapshot.form.shownNames + OfferedAction.form.shownNames + DeliveryFailure.form.shownNames
      + EscalationNote.form.shownNames + ReminderUpdate.form.shownNames + [
        "type", "timestamp", "data", "message_id", "count", "reminders", "due", "due_in", "late", "late_seconds",
        "answer_url", "token", "link",
      ])

  /// The unknown names in a valid template, each once; empty if it calls a function, which may define names.
  static func unknown(in text: String) -> [String] {
    var unknown: [String] = []
    var rest = text[...]
    while let start = rest.firstRange(of: "{{") {
      rest = rest[start.upperBound...]
      guard let end = rest.firstRange(of: "}}") else { break }
      let tag = rest[..<end.lowerBound]
      rest = rest[end.upperBound...]
      if tag.first == "!" || tag.first == "%" { continue }
      if tag.contains("(") { return [] }
      for part in tag.drop(while: { "{#^/&".contains($0) }).split(separator: ".") {
        let name = part.filter { !$0.isWhitespace }
        if !name.isEmpty, !known.contains(name), !unknown.contains(name) { unknown.append(name) }
      }
    }
    return unknown
  }
}

extension Template {
  /// Warnings about names that no message has, each with the closest known name.
  var doubts: [String] {
    TemplateNames.unknown(in: text).map { name in
      let nearest = Suggestion.nearest(to: name, among: TemplateNames.known.sorted())
      return "the template uses the unknown name \(inQuotes(name)), which no reminder has"
        + (nearest.map { "; did you mean \(inQuotes($0))?" } ?? "")
    }
  }
}

extension ConfigSection {
  /// Reads a template, and warns of its unknown names.
  package mutating func read(
    template name: String, _ property: inout Template?, _ escaping: TemplateEscaping, _ summary: String
  ) {
    let key = read(name, &property, .template(escaping), summary)
    if let property { warn(of: property, at: key) }
  }

  /// Warns of unknown names in a template.
  package mutating func warn(of template: Template, at key: KeyPlace) {
    for doubt in template.doubts { warning(doubt, at: key.value) }
  }
}
