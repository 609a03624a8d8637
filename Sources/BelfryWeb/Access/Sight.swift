import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import HTTPTypes
import ItemEntry
import WebAccess

/// A state as one visitor may see it: records of other lists are not found.
struct Sight {
  let reading: Reading
  let grant: Access.Grant

  /// The same state at the time that a request names in its query's `now`, to read words at the moment they were typed.
  ///
  /// - Parameter text: the time; `nil` for the present.
  /// - Throws: ``Problem`` 400 for an invalid time.
  func at(_ text: String?, _ belfry: Belfry) throws -> Sight {
    guard let text else { return self }
    do {
      let now = try EntryReader(reading, of: belfry).instant(text, called: "now")
      return Sight(reading: Reading(view: reading.view, planner: reading.planner, now: now), grant: grant)
    } catch let error as BelfryError where error.kind == .usage {
      throw Problem(error, status: .badRequest)
    }
  }

  /// The lists with their counts, in order of creation.
  func summaries() throws -> [ListSummary] {
    try reading.view.listSummaries(now: reading.now).filter { grant.includes(list: $0.list.uuid) }
  }

  /// The lists, in order of creation.
  func lists() throws -> [Checklist] { try reading.view.lists().filter { grant.includes(list: $0.uuid) } }

  /// The list with this number.
  ///
  /// - Throws: ``Problem`` 404, also if the visitor may not see it.
  func list(_ id: Int64) throws -> Checklist {
    guard let list = try reading.view.list(id: id), grant.includes(list: list.uuid) else {
      throw Problem(.notFound, "there is no such list")
    }
    return list
  }

  /// The item with this number.
  ///
  /// - Throws: ``Problem`` 404, also if the visitor may not see it.
  func item(_ id: Int64) throws -> ItemListing {
    guard let listing = try itemIfPresent(id) else { throw Problem(.notFound, "there is no such item") }
    return listing
  }

  /// An item; `nil` if there is none that the visitor may see.
  func itemIfPresent(_ id: Int64) throws -> ItemListing? {
    guard let listing = try reading.view.item(id: id),
      let list = try reading.view.list(id: listing.item.listID), grant.includes(list: list.uuid)
    else { return nil }
    return listing
  }
}

extension Sight {
  /// Reads past invalid records.
  ///
  /// - Returns: the result, and the number of records that were left out.
  func leavingOut<Result>(_ body: () throws -> Result) throws -> (Result, Int) {
    var faults: Set<String> = []
    let result = try reading.view.readingPastFaults({ faults.insert($0.message) }, body)
    return (result, faults.count)
  }
}

extension StoreCalls {
  /// Reads one consistent state, as far as a visitor may see it.
  func read<Result: Sendable>(
    for visitor: Access, _ body: @escaping @Sendable (Sight) throws -> Result
  ) async throws -> Result {
    try await read { try body(Sight(reading: $0, grant: visitor.grant)) }
  }

  /// Makes a change in a visitor's name, together with other requests' changes.
  ///
  /// - Parameters:
  ///   - ticket: the ticket by which it takes effect once; by default that of the present form, if any.
  ///   - isLong: true for a change with a transaction of its own.
  ///   - reply: the reply that is kept; by default the redirect that follows every form.
  ///   - check: checks within the transaction that the visitor may see the items and lists that are changed.
  /// - Throws: as ``makeTogether(once:isLong:keeping:_:)``.
  func change<Result: Sendable>(
    by visitor: Access, once ticket: OnceTicket? = OnceTicket.form, isLong: Bool = false,
    keeping reply: @escaping @Sendable (Result) -> KeptReply? = { _ in .redirection },
    requiring check: @escaping @Sendable (Sight) throws -> Void,
    _ body: @escaping @Sendable (Belfry) throws -> Result
  ) async throws -> Result {
    try await makeTogether(once: ticket, isLong: isLong, keeping: reply) { belfry in
      var belfry = belfry.requiring { try check(Sight(reading: $0, grant: visitor.grant)) }
      belfry.author = visitor.author
      return try body(belfry)
    }
  }
}

extension KeptReply {
  /// The reply to every form: a repeat is redirected as well.
  fileprivate static let redirection = KeptReply(status: HTTPResponse.Status.seeOther.code, body: nil)
}

extension EntryReader {
  /// A reader of the values of forms.
  init(_ reading: Reading, of belfry: Belfry) {
    self.init(reading: reading, settings: belfry.settings, zones: belfry.zones, name: { "\($0.row.label)" })
  }
}
