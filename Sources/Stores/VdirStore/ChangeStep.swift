/// The steps of a change of files. After each of them the program may be killed, or another program may write.
package enum ChangeStep: CaseIterable {
  /// The content of each file is noted in the state, in a transaction that is still open.
  case decided
  /// The new content lies beside the file.
  case drafted
  /// The transaction is committed: the change counts.
  case committed
  /// The file has its new content, or its new place, and the draft holds the old content.
  case exchanged
  /// The old content was found as expected.
  case compared
  /// The draft is removed.
  case cleared
  /// The state records that the file is as intended; not committed yet.
  case recorded
}

/// Called after each step, by tests that then act as a kill or another program.
package typealias StepObserver = @Sendable (ChangeStep) -> Void
