import BelfryModel

/// The forms of all stored data that `--json` and the API show.
package enum ShownForms {
  /// The shapes of the forms with a name, for schemas.
  package static var shapes: [(name: String, shape: FieldShape)] {
    [
      ("Item", ItemRecord.form.shownShape), ("ListReminder", ListReminderRecord.form.shownShape), named(list),
      named(delivery), named(answeredDelivery), named(explainedDelivery), named(answer), named(givenAnswer),
      named(pendingReminder), named(plannedReminder), named(explanation), named(explainedReminder),
      named(unansweredEscalation), named(undoneEntry),
    ].compactMap(\.self)
  }

  private static func named<Source>(_ form: ShownForm<Source>) -> (name: String, shape: FieldShape)? {
    form.name.map { ($0, form.shape) }
  }
}
