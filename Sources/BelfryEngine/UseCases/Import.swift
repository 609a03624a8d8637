import BelfryModel
import FoundationEssentials

/// The result of an import, or of a dry run. Keeps only ids and counts, so that a large import needs little memory.
public struct ImportReport: Hashable, Sendable {
  /// The ids of the added items, in order.
  public var added: [Int64] = []
  /// The number of items that existed already.
  public var knownCount = 0
  /// Items that could not keep their own id.
  public var renumbered: [Renumbering] = []
  /// The number of changed occurrences that became items of their own.
  public var separatedCount = 0
  /// The number of excluded occurrences of repeating items.
  public var exceptionCount = 0
  /// The number of refused entries.
  public var refusedCount = 0
  /// The first entry that was refused; `nil` if all were taken.
  public var firstRefusal: ImportRefusal?
  /// The number of added items with a value that is not understood and kept as a property, such as a date.
  public var notUnderstoodCount = 0
  /// The first of them; `nil` for none.
  public var firstNotUnderstood: ImportRefusal?
  /// The number of entries that the reader left out, by its word for their kind.
  public var leftOut: [String: Int] = [:]
  /// The names of added lists.
  public var newLists: [String] = []
  /// The number of scheduled reminders.
  public var scheduledCount = 0
  /// The number of added items that are overdue.
  public var overdueCount = 0
  /// The number of added items that are due later without a reminder.
  public var silentCount = 0
}

extension ImportReport {
  /// The reason why an import of all or nothing imports nothing; `nil` for none.
  fileprivate var imperfection: String? {
    if let first = firstRefusal { return "\(refusedCount) refused, first \(first.place): \(first.reason)" }
    return firstNotUnderstood.map { first in
      "\(counted(notUnderstoodCount, "item")) with a value that is not understood, first \(first.place): \(first.reason)"
    }
  }
}

/// An item whose own id was taken.
public struct Renumbering: Hashable, Sendable {
  /// Its id in the import.
  public var own: Int64
  /// Its id in the store.
  public var given: Int64
}

/// An event during an import.
package enum ImportEvent: Hashable, Sendable {
  /// The next entry is about to be imported.
  case progress
  case refused(ImportRefusal)
  /// An item was added, and a value of its entry is not understood.
  case notUnderstood(ImportRefusal)
}

/// Rolls back the transaction of a dry run.
private struct DryRun: Error {
  let report: ImportReport
}

extension Belfry {
  /// Imports lists and items in one transaction. Existing ones, by UUID or key, stay unchanged.
  ///
  /// - Parameters:
  ///   - target: the list for all items; `nil` for the lists that the file names.
  ///   - isDryRun: whether to report the result and roll back.
  ///   - isStrict: whether to import all or nothing.
  ///   - observe: called for each event; an error thrown by it ends the import and rolls back.
  ///   - inspect: called with the resulting state: in a dry run before the rollback, otherwise after the commit.
  /// - Throws: ``BelfryError`` `.badInput` if `isStrict` and an entry was refused, `.notFound` for `target`, and the
  ///   errors of the source.
  package func take(
    _ source: inout some ImportSource, onto target: ListChoice? = nil, isDryRun: Bool = false, isStrict: Bool = false,
    observe: (ImportEvent) throws -> Void = { _ in }, inspect: ((Reading, ImportReport) throws -> Void)? = nil
  ) throws -> ImportReport {
    let report: ImportReport
    do {
      report = try change(as: "import") { change in
        var importing = try ImportInProgress(change: change, target: target)
        while let entry = try source.next() {
          try observe(.progress)
          if let event = try importing.take(entry) { try observe(event) }
        }
        try importing.finish { try observe(.refused($0)) }
        let report = importing.report
        if isStrict, let reason = report.imperfection {
          throw BelfryError(
            .badInput, "nothing was imported: \(reason)",
            hint: "correct the file, or leave out --strict to import the rest")
        }
        if isDryRun {
          try inspect?(Reading(view: change.transaction, planner: change.planner, now: change.now), report)
          throw DryRun(report: report)
        }
        return report
      }
    } catch let dryRun as DryRun {
      return dryRun.report
    }
    if let inspect { try read { try inspect($0, report) } }
    return report
  }
}
