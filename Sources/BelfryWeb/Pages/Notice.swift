import BelfryEngine
import BelfryModel
import CivilTime
import Digests
import Hummingbird
import WebAccess

/// A notice of the last change, on the page that follows it, with a button that undoes it.
struct Notice: Sendable {
  /// A change that a page reports.
  enum Deed: String {
    case added, saved, checked, unchecked, deleted, moved, postponed, snoozed, made, renamed, cleared, undone, redone,
      retried, discarded, revoked
    case takenBack = "taken-back"
    /// Added from a line with something that looks like a mark and is not one.
    case addedAsText = "added-as-text"
    case passkeyAdded = "passkey-added"
    case listDeleted = "list-deleted"
    case reminderSet = "reminder-set"
    case reminderRemoved = "reminder-removed"

    // Changes of deliveries and of access cannot be undone.
    fileprivate var isUndoable: Bool { ![.retried, .discarded, .revoked, .passkeyAdded].contains(self) }

    // A change that was undone can be redone.
    fileprivate var way: UndoRecord.Direction { self == .undone ? .redo : .undo }

    fileprivate var words: String {
      switch self {
      case .added: "Added"
      case .addedAsText: "Added, with what looks like a time or a list left in the text"
      case .saved: "Saved"
      case .checked: "Checked"
      case .unchecked: "Unchecked"
      case .deleted: "Deleted"
      case .moved: "Moved"
      case .postponed: "Postponed"
      case .snoozed: "Snoozed"
      case .made: "The list was made"
      case .renamed: "The list was renamed"
      case .cleared: "All items of the list were deleted"
      case .undone: "Undone"
      case .redone: "Made again"
      case .retried: "It is tried again within a minute"
      case .discarded: "The delivery was discarded"
      case .revoked: "The access has ended"
      case .passkeyAdded: "The passkey was added"
      case .takenBack: "The answer was taken back"
      case .listDeleted: "The list was deleted"
      case .reminderSet: "The list's reminder was set"
      case .reminderRemoved: "The list's reminder was removed"
      }
    }
  }

  private let deed: Deed
  /// The text of the item, and the consequence for it.
  private let item: (text: String, sequel: String?)?
  /// The mark of the change, to undo only that; `nil` if the visitor did not make it.
  private let mark: String?
  private let mayUndo: Bool
  private let path: String

  /// The notice that a query names; `nil` for none.
  init?(_ request: Request, _ visitor: Access, _ sight: Sight) throws {
    let fields = FormFields(query: request)
    guard let deed = try fields.text("done").flatMap(Deed.init(rawValue:)) else { return nil }
    try self.init(deed, item: try fields.number("item"), on: request.uri.path, visitor, sight)
  }

  /// The notice of a change, on the page of a path.
  init(_ deed: Deed, item id: Int64?, on path: String, _ visitor: Access, _ sight: Sight) throws {
    (self.deed, self.path) = (deed, path)
    let listing = id.flatMap { try? sight.item($0) }
    let time = PageTime(sight.reading)
    item = listing.map { listing in
      let next = listing.nextFireDate.map { time.moment(listing.item.zone).full($0.date) }
      let repeats = listing.item.recurrence.map { ", then \($0.rule.words)" } ?? ""
      return (listing.item.text, next.map { "It rings \($0)\(repeats)." })
    }
    mayUndo = deed.isUndoable && visitor.may(.edit)
    mark = mayUndo ? try sight.reading.undoMark(deed.way, by: visitor.author) : nil
  }

  /// The change in one word.
  var heading: String { deed.words }

  func add(to body: inout HTML) {
    body.element("div", ["class": "notice"]) { body in
      body.element("p") { body in
        body.markup("<strong>")
        body.add(deed.words)
        body.markup("</strong>")
        if let item {
          body.markup(": <bdi class=\"brief\">")
          body.add(item.text)
          body.markup("</bdi>")
        }
        body.add(item?.sequel.map { ". \($0)" } ?? ".")
        if mayUndo, mark == nil {
          body.markup(" This can no longer be undone here.")
        }
      }
      if let mark {
        body.form(
          action: deed.way == .undo ? "/undo" : "/redo", button: deed.way == .undo ? "Undo" : "Redo", style: "small",
          fields: ["change": mark, "back": path])
      }
    }
  }

  /// The path of a page with a query that names a change.
  static func path(_ path: String, after deed: Deed, item: Int64? = nil) -> String {
    let parts = path.split(separator: "#", maxSplits: 1)
    let start = parts.first.map(String.init) ?? "/"
    let anchor = parts.count == 2 ? "#\(parts[1])" : ""
    let query = "done=\(deed.rawValue)" + (item.map { "&item=\($0)" } ?? "")
    return start + (start.contains("?") ? "&" : "?") + query + anchor
  }
}

extension StoreCalls {
  /// The reply to a change of an item: a redirect to the next page; for a script that already shows the change only the
  /// notice, with the number of the change.
  func reply(
    after deed: Notice.Deed, item id: Int64, back: String, to request: Request, _ visitor: Access
  ) async throws -> Response {
    guard request.headers[named: "Fragment"] == "status" else {
      return .leading(to: Notice.path(back, after: deed, item: id))
    }
    let (notice, number) = try await read(for: visitor) { sight in
      let number = visitor.grant.isForAllLists ? try sight.reading.view.changeNumber() : nil
      return (try Notice(deed, item: id, on: back, visitor, sight), number)
    }
    var content = HTML()
    notice.add(to: &content)
    var response = Response.part(content.bytes[...], asked: request.head)
    if let number { response.headers.set("Change", "\(number)") }
    return response
  }
}

extension Reading {
  /// A value that identifies the author's last change; `nil` if there is none to undo, or to redo.
  func undoMark(_ direction: UndoRecord.Direction, by author: String) throws -> String? {
    try view.undoRecord(direction, by: author).map { record in
      let text = "\(Int64(record.date.timeIntervalSince1970)) \(record.content)"
      return Base64URL.encode(SHA256.digest(Array(text.utf8)).prefix(12))
    }
  }
}
