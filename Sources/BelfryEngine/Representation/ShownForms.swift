import BelfryModel

/// The forms of all stored data that `--json` and the API show.
package enum ShownForms {
  /// The shapes of the forms with a name, for schemas.
  package static var shapes: [(name: String, shape: FieldShape)] {
    [
      ("Item", ItemRecord.form.shownShape), addedLine, ("ListReminder", ListReminderRecord.form.shownShape),
      named(list),
      named(delivery), named(answeredDelivery), named(explainedDelivery), named(answer), named(givenAnswer),
      named(pendingReminder), named(plannedReminder), named(explanation), named(explainedReminder),
      named(unansweredEscalation), named(undoneEntry),
    ].compactMap(\.self)
  }

  /// An item that was added from a line.
  private static var addedLine: (name: String, shape: FieldShape) {
    let words = "what looks like a time, a repeat or a list in the line and stays in the text"
    let shape = ItemRecord.form.shownShape
    guard case .object(let members, let isOpen) = shape else { return ("AddedLine", shape) }
    return ("AddedLine", .object(members + [.init("remarks", .texts, words)], isOpen: isOpen))
  }

  private static func named<Source>(_ form: ShownForm<Source>) -> (name: String, shape: FieldShape)? {
    form.name.map { ($0, form.shape) }
  }
}
