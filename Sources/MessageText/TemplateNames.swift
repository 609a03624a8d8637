import BelfryModel
import CivilTime
import ConfigKeys

/// The names that a template can have, and those of a text that nothing has.
enum TemplateNames {
  /// Every name that some message has, at whatever depth.
  static let known = Set(
    ItemRecord.form.shownNames + ReminderContent.form.shownNames + ReminderAlert.form.shownNames
      + ListSnapshot.form.shownNames + OfferedAction.form.shownNames + DeliveryFailure.form.shownNames + [
        "type", "timestamp", "data", "message_id", "count", "reminders", "due", "due_in", "late", "late_seconds",
      ])

  /// The names in a text that parses, each once, that are not ``known``; none where a function is used, which brings
  /// names of its own.
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
  /// What is doubtful about it: names that no message has, each with the one that was probably meant.
  var doubts: [String] {
    TemplateNames.unknown(in: text).map { name in
      let nearest = Suggestion.nearest(to: name, among: TemplateNames.known.sorted())
      return "the template's \(inQuotes(name)) stands for nothing: no reminder has it"
        + (nearest.map { "; did you mean \(inQuotes($0))?" } ?? "")
    }
  }
}

extension ConfigSection {
  /// Reports what is doubtful about a template, if there is one.
  public mutating func warn(of template: Template?, at position: SourcePosition) {
    for doubt in template?.doubts ?? [] { warning(doubt, at: position) }
  }
}
