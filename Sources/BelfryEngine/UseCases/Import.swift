import BelfryModel
import FoundationEssentials

/// What an import did, or would do. Of each item it keeps a number or two, so that a large import stays small.
public struct ImportReport: Hashable, Sendable {
  /// The numbers of the items that were added, in order.
  public var added: [Int64] = []
  /// How many items were there already.
  public var knownCount = 0
  /// Items that could not keep their own number.
  public var renumbered: [Renumbering] = []
  /// How many changed occurrences of repeating items stand as items of their own.
  public var separatedCount = 0
  /// How many occurrences of repeating items do not take place.
  public var exceptionCount = 0
  /// How many entries were not taken.
  public var refusedCount = 0
  /// The first of them.
  public var firstRefusal: ImportRefusal?
  /// How many entries the reader left out, by the word that it has for them.
  public var leftOut: [String: Int] = [:]
  /// Lists that were made.
  public var newLists: [String] = []
  /// How many reminders were scheduled.
  public var scheduledCount = 0
  /// How many of the items that were added are overdue.
  public var overdueCount = 0
  /// How many of them are due later and do not remind of it.
  public var silentCount = 0
}

/// An item whose own number was taken.
public struct Renumbering: Hashable, Sendable {
  /// The number that it came with.
  public var own: Int64
  /// The number that it got.
  public var given: Int64
}

/// What an import tells while it goes on.
public enum ImportEvent: Hashable, Sendable {
  /// Another entry is to be taken.
  case progress
  /// An entry was not taken.
  case refused(ImportRefusal)
}

/// Ends a transaction without keeping it.
private struct DryRun: Error {
  let report: ImportReport
}

extension Belfry {
  /// Takes in lists and items one after the other, in one transaction. What is there already, by identity, is left alone.
  ///
  /// - Parameters:
  ///   - target: the list to put everything on; `nil` for the lists that the file names.
  ///   - isDryRun: reports what would come and keeps nothing.
  ///   - isStrict: takes all or nothing.
  ///   - observe: is told what happens; what it throws ends the import, and nothing is kept.
  ///   - inspect: is handed the state with everything in it: of a dry run before it is undone, else once it is kept.
  /// - Throws: ``BelfryError`` `.badInput` when `isStrict` and anything was refused, `.notFound` for `target`, and what
  ///   the source throws.
  public func take(
    _ source: inout some ImportSource, onto target: ListChoice? = nil, isDryRun: Bool = false, isStrict: Bool = false,
    observe: (ImportEvent) throws -> Void = { _ in }, inspect: ((Reading, ImportReport) throws -> Void)? = nil
  ) throws -> ImportReport {
    let report: ImportReport
    do {
      report = try change(as: "import") { change in
        var importing = try ImportInProgress(change: change, target: target)
        while let entry = try source.next() {
          try observe(.progress)
          if let refusal = try importing.take(entry) { try observe(.refused(refusal)) }
        }
        try importing.finish { try observe(.refused($0)) }
        let report = importing.report
        if isStrict, let first = report.firstRefusal {
          throw BelfryError(
            .badInput, "nothing was imported: \(report.refusedCount) refused, first \(first.place): \(first.reason)",
            hint: "mend the file, or leave --strict off to import the rest")
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
