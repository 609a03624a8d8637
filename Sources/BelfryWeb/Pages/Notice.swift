import BelfryEngine
import BelfryModel
import CivilTime
import Hummingbird
import MessageText
import WebAccess

/// A notice of the last change, on the page that follows it, with a button that undoes it.
struct Notice: Sendable {
  /// A change that a page reports.
  enum Deed: String {
    case added, saved, checked, unchecked, deleted, moved, postponed, snoozed, made, renamed, cleared, undone, redone,
      retried, discarded, revoked
    /// Given due dates of which some are earlier than before, and some are not.
    case redated
    /// Given an earlier due date.
    case movedEarlier = "moved-earlier"
    case takenBack = "taken-back"
    /// Added from a line with something that looks like a mark and is not one.
    case addedAsText = "added-as-text"
    case passkeyAdded = "passkey-added"
    case listDeleted = "list-deleted"
    case reminderSet = "reminder-set"
    case reminderRemoved = "reminder-removed"
    /// Given its first due date.
    case dated
    /// Not snoozed, since it has not rung yet.
    case notRung = "not-rung"

    // Changes of deliveries and of access cannot be undone.
    fileprivate var isUndoable: Bool { ![.retried, .discarded, .revoked, .passkeyAdded, .notRung].contains(self) }

    // True if an item was added to a list or moved to it.
    fileprivate var leadsToList: Bool { [.added, .addedAsText, .moved].contains(self) }

    // A change that was undone can be redone.
    fileprivate var way: UndoRecord.Direction { self == .undone ? .redo : .undo }

    // True if the notice names the change that was undone or redone.
    fileprivate var isStep: Bool { [.undone, .redone].contains(self) }

    // The words after the name of the list; empty for most deeds.
    fileprivate var addition: String {
      self == .addedAsText ? ", with what looks like a time or a list left in the text" : ""
    }

    fileprivate func words(of count: Int64) -> String {
      switch self {
      case .added, .addedAsText: "Added"
      case .saved: "Saved"
      case .checked: "Checked"
      case .unchecked: "Unchecked"
      case .deleted: "Deleted"
      case .moved: "Moved"
      case .postponed: "Postponed"
      case .redated: "The due dates were changed"
      case .movedEarlier: "Moved earlier"
      case .snoozed: "Snoozed"
      case .made: "The list was made"
      case .renamed: "The list was renamed"
      case .cleared: "All items of the list were deleted"
      case .undone: "Undone"
      case .redone: "Redone"
      case .retried: "\(count == 1 ? "It is" : "\(count) deliveries are") tried again within a minute"
      case .discarded: "\(count == 1 ? "The delivery was" : "\(count) deliveries were") discarded"
      case .revoked: "The access has ended"
      case .passkeyAdded: "The passkey was added"
      case .takenBack: "The answer was taken back"
      case .listDeleted: "The list was deleted"
      case .reminderSet: "The list's reminder was set"
      case .reminderRemoved: "The list's reminder was removed"
      case .dated: "Due"
      case .notRung: "It has not rung yet"
      }
    }
  }

  /// The most bytes of an item's text or a list's name, since the consequence follows them, and on a phone the notice
  /// covers the items. Their own pages have the whole.
  private static let longestName = 80

  private let deed: Deed
  /// The change in words.
  private let words: String
  /// The list to which an item came, if the page does not show that list.
  private var list: Shell.Place?
  /// The text of the changed item, or the number of items if there are several.
  private var subject: String?
  /// The name of the change that was undone or redone.
  private var undone: UndoneWords?
  /// The consequence, in a sentence.
  private var sequel: String?
  /// The chosen items that stayed as they were.
  private var skipped: (reason: String, named: [String], others: Int)?
  /// The mark of the change, to undo only that; `nil` if it is not the visitor's last one.
  private let mark: String?
  /// True if the change could be undone, until another one followed it.
  private let isPast: Bool
  private let path: String

  /// The notice that a query names; `nil` for none.
  init?(_ request: Request, _ visitor: Access, _ sight: Sight) throws {
    let fields = FormFields(query: request)
    guard let deed = try fields.text("done").flatMap(Deed.init(rawValue:)) else { return nil }
    try self.init(
      deed, item: try fields.number("item"), count: try fields.number("many") ?? 1, change: try fields.text("change"),
      on: request.uri.path, visitor, sight)
    skipped = try SkippedItems(fields).map { items in
      let texts = items.texts(sight)
      return (items.reason, texts.named, texts.others)
    }
  }

  /// The notice of a change, on the page of a path.
  ///
  /// - Parameters:
  ///   - id: the item that was changed, or one of them.
  ///   - count: how many were changed.
  ///   - change: the mark of the change; `nil` if there is nothing to undo.
  init(
    _ deed: Deed, item id: Int64?, count: Int64 = 1, change: String?, on path: String, _ visitor: Access, _ sight: Sight
  ) throws {
    (self.deed, self.path, words) = (deed, path, deed.words(of: count))
    let change = deed.isUndoable && visitor.may(.edit) ? change : nil
    let last = change == nil ? nil : try sight.reading.view.undoRecord(deed.way, by: visitor.author)
    let record = last?.mark == change ? last : nil
    (mark, isPast) = (record?.mark, deed.way == .undo && change != nil && record == nil)
    if deed.isStep { undone = record?.summary.flatMap { UndoneWords($0, sight) } }
    let time = PageTime(sight.reading)
    let listing = id.flatMap { try? sight.item($0) }
    if deed.leadsToList, let listing, path != "/lists/\(listing.item.listID)" { list = .list(of: listing) }
    if let id, count == 1 {
      subject = listing?.item.text ?? record?.summary?.items.first { $0.id == id && $0.isDeleted }?.name
    } else if id != nil {
      subject = counted(Int(count), "item")
    }
    if let listing, count == 1, let next = listing.nextFireDate {
      let repeats = listing.item.recurrence.map { ", then \($0.rule.words)" } ?? ""
      sequel = "It rings \(time.moment(listing.item.zone).full(next.date))\(repeats)."
    }
    if deed == .reminderSet, path.hasPrefix("/lists/"), let id = Int64(path.dropFirst("/lists/".count)),
      let summary = try? sight.summary(id)
    {
      sequel = summary.ringWords(next: try sight.reading.bell(of: summary.list)?.next, time).map { "It \($0.words)." }
    }
  }

  /// The change in one word.
  var heading: String { words + deed.addition }

  func add(to body: inout HTML) {
    body.element("div", ["class": "notice"]) { body in
      body.element("p") { body in
        body.markup("<strong>")
        body.add(words)
        if let list {
          body.markup(" to ")
          body.open("a", ["href": list.path, "dir": "auto"])
          body.add(list.name.bounded(toBytes: Self.longestName))
          body.markup("</a>")
        }
        body.add(deed.addition)
        body.markup("</strong>")
        if let subject { Self.add(": ", subject, to: &body) }
        if let undone {
          body.add(": \(undone.kind)")
          if let name = undone.name { Self.add(undone.kind.isEmpty ? "" : " ", name, to: &body) }
          body.add(" \(undone.participle)")
        }
        body.add(sequel.map { ". \($0)" } ?? ".")
        if let skipped { Self.add(skipped, to: &body) }
        if isPast { body.markup(" This can no longer be undone here.") }
      }
      if let mark {
        body.form(
          action: deed.way == .undo ? "/undo" : "/redo", button: deed.way == .undo ? "Undo" : "Redo", style: "small",
          fields: ["change": mark, "back": path])
      }
    }
  }

  private static func add(_ before: StaticString, _ name: String, to body: inout HTML) {
    body.markup(before)
    body.markup("<bdi class=\"brief\">")
    body.add(name.bounded(toBytes: longestName))
    body.markup("</bdi>")
  }

  private static func add(_ skipped: (reason: String, named: [String], others: Int), to body: inout HTML) {
    body.add(" \(skipped.reason)")
    for (index, text) in skipped.named.enumerated() { add(index == 0 ? "" : ", ", text, to: &body) }
    if skipped.others > 0 { body.add("\(skipped.named.isEmpty ? "" : " and ")\(skipped.others) more") }
    body.markup(".")
  }

  /// The path of a page with a query that names a change.
  ///
  /// - Parameters:
  ///   - item: the item that was changed, or one of them.
  ///   - count: how many were changed.
  ///   - change: the mark of the change; `nil` if there is nothing to undo.
  ///   - skipped: the chosen items that stayed as they were.
  static func path(
    _ path: String, after deed: Deed, item: Int64? = nil, count: Int = 1, change: String? = nil,
    skipped: SkippedItems? = nil
  ) -> String {
    let parts = path.split(separator: "#", maxSplits: 1)
    let start = parts.first.map(String.init) ?? "/"
    let anchor = parts.count == 2 ? "#\(parts[1])" : ""
    let query =
      "done=\(deed.rawValue)" + (item.map { "&item=\($0)" } ?? "") + (count > 1 ? "&many=\(count)" : "")
      + (change.map { "&change=\($0)" } ?? "") + (skipped?.query ?? "")
    return start + (start.contains("?") ? "&" : "?") + query + anchor
  }
}

extension StoreCalls {
  /// The reply to a change of an item: a redirect to the next page; for a script that already shows the change only the
  /// notice, with the number of the change.
  func reply(
    after deed: Notice.Deed, item id: Int64, change: String?, back: String, to request: Request, _ visitor: Access
  ) async throws -> Response {
    guard request.headers[named: "Fragment"] == "status" else {
      return .leading(to: Notice.path(back, after: deed, item: id, change: change))
    }
    let (notice, number) = try await read(for: visitor) { sight in
      let number = visitor.grant.isForAllLists ? try sight.reading.view.changeNumber() : nil
      return (try Notice(deed, item: id, change: change, on: back, visitor, sight), number)
    }
    var content = HTML()
    notice.add(to: &content)
    var response = Response.part(content.bytes[...], asked: request.head)
    if let number { response.headers.set("Change", "\(number)") }
    return response
  }
}
