import Foundation

/// What an import did, or would do.
public struct ImportReport: Hashable, Sendable {
  /// What was added, in order.
  public var added: [ItemChange] = []
  /// Items that were there already.
  public var known: [ItemListing] = []
  /// Items that could not keep their own number.
  public var renumbered: [Renumbering] = []
  /// Entries that were not taken.
  public var refused: [ImportRefusal] = []
  /// Lists that were made.
  public var newLists: [String] = []
}

/// An item whose own number was taken.
public struct Renumbering: Hashable, Sendable {
  /// The number that it came with.
  public var own: Int64
  /// The number that it got.
  public var given: Int64
}

/// Ends a transaction without keeping it.
private struct DryRun: Error {
  let report: ImportReport
}

extension Belfry {
  /// Takes in lists and items, in one transaction. What is there already, by identity, is left alone.
  ///
  /// - Parameters:
  ///   - target: the list to put everything on; `nil` for the lists that the file names.
  ///   - isDryRun: reports what would come and keeps nothing.
  ///   - isStrict: takes all or nothing.
  ///   - refused: entries that the reader of the file has refused already.
  /// - Throws: ``BelfryError`` `.badInput` when `isStrict` and anything was refused, `.notFound` for `target`.
  public func take(
    _ lists: [ImportedList], onto target: ListChoice?, isDryRun: Bool = false, isStrict: Bool = false,
    refused: [ImportRefusal] = []
  ) throws -> ImportReport {
    do {
      return try change { change in
        var importing = Importing(change: change, firstFreeID: try change.transaction.nextItemID())
        importing.report.refused = refused
        for list in lists { try importing.take(list, onto: target) }
        try importing.finish()
        let report = importing.report
        if isStrict, let first = report.refused.first {
          throw BelfryError(
            .badInput, "nothing was imported: \(report.refused.count) refused, first \(first.place): \(first.reason)",
            hint: "mend the file, or leave --strict off to import the rest")
        }
        if isDryRun { throw DryRun(report: report) }
        return report
      }
    } catch let dryRun as DryRun {
      return dryRun.report
    }
  }
}

/// One import in progress.
private struct Importing {
  let change: Change
  /// The largest number that is kept: beyond it JSON readers lose digits, and counting on would overflow.
  private static let largestID: Int64 = 1 << 53

  let firstFreeID: Int64
  var report = ImportReport()
  private var given: Set<Int64> = []
  private var touched: Set<Int64> = []
  private var seen: [String: Int] = [:]

  init(change: Change, firstFreeID: Int64) {
    self.change = change
    self.firstFreeID = firstFreeID
  }

  mutating func take(_ imported: ImportedList, onto target: ListChoice?) throws {
    let choice = target ?? ListChoice(imported.name, createsMissing: true)
    let isNew = try change.transaction.list(named: choice.name.trimmingWhitespace()) == nil
    let list: Checklist
    do {
      list = try change.findOrAdd(choice)
    } catch let error as BelfryError where error.kind == .badInput {
      report.refused.append(ImportRefusal(place: "list '\(imported.name)'", reason: error.message))
      return
    }
    if isNew { report.newLists.append(list.name) }
    touched.insert(list.id)
    for item in imported.items {
      do {
        try take(item, from: imported.name, onto: list)
      } catch let error as BelfryError where error.kind == .badInput {
        report.refused.append(ImportRefusal(place: item.place, reason: error.message))
      }
    }
  }

  func finish() throws { try change.itemsChanged(on: touched) }

  private mutating func take(_ imported: ImportedItem, from listName: String, onto list: Checklist) throws {
    let uuid = imported.uuid ?? derivedUUID(imported, listName: listName)
    if let known = try change.transaction.item(uuid: uuid) {
      report.known.append(known)
      return
    }
    let isFree =
      imported.itemID.map {
        $0 >= firstFreeID && $0 <= Self.largestID && !given.contains($0)
      } ?? false
    var draft = ItemDraft(
      text: imported.text, notes: imported.notes, shouldRemind: imported.shouldRemind)
    switch imported.due {
    case .instant(let due)?:
      // The clock on the wall is what the person set: read it in the zone that the apps would have used here.
      let fireDate: FireDate
      do { fireDate = try FireDate(due) } catch { throw BelfryError(.badInput, "\(error)") }
      draft.due = change.planner.floatingZone.wallTime(at: fireDate.date)
    case .local(let due, let zone)?:
      draft.due = due
      draft.zone = zone
    case nil: break
    }
    let added = try change.add(
      draft, to: list, preferredID: isFree ? imported.itemID : nil, uuid: uuid, isChecked: imported.isChecked)
    given.insert(added.listing.item.id)
    report.added.append(added)
    if let own = imported.itemID, own != added.listing.item.id {
      report.renumbered.append(Renumbering(own: own, given: added.listing.item.id))
    }
  }

  // Version 5 UUID of kind, list and number, or of list, text and how many equal ones came before, so that a second
  // import of the same file adds nothing.
  private mutating func derivedUUID(_ imported: ImportedItem, listName: String) -> UUID {
    let list = Checklist.nameKey(listName)
    let key = imported.itemID.map { "import item \(list)\u{0}\($0)" } ?? "import text \(list)\u{0}\(imported.text)"
    let earlier = seen[key, default: 0]
    seen[key] = earlier + 1
    return UUID(namespace: .belfry, name: "\(key)\u{0}\(earlier)")
  }
}
