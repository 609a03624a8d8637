import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import HTTPTypes
import Hummingbird
import WebAccess

/// The frame of every page after sign-in: the bar, the links to other pages, and the notice of the last change.
struct Shell: Sendable {
  let visitor: Access
  /// The lists that the visitor may see.
  let lists: [Checklist]
  /// The notice of the last change; `nil` for none.
  var notice: Notice?
  /// The words of the search.
  var search = ""
  /// The number of records that could not be read.
  var leftOut = 0
  /// The page to which the arrow of the bar leads; `nil` for none.
  var back: Place?
  /// The number of the last change that the page shows; `nil` for visitors who see only some lists.
  private let change: Int64?

  /// The frame of a page in a state, with the notice that the request names.
  init(_ request: Request, _ visitor: Access, _ sight: Sight) throws {
    self.visitor = visitor
    lists = try sight.lists()
    change = visitor.grant.isForAllLists ? try sight.reading.view.changeNumber() : nil
    notice = try Notice(request, visitor, sight)
  }

  /// The reply with a page, or with the one live part that a script requests by the field `Fragment`.
  ///
  /// - Parameter hasHeading: true for a page that has a heading of its own; the bar then names the page behind it.
  func response(
    _ title: String, to request: Request, status: HTTPResponse.Status = .ok, hasHeading: Bool = false,
    _ make: (inout HTML) -> Void
  ) -> Response {
    if let part = request.headers[named: "Fragment"] {
      var content = HTML()
      make(&content)
      guard let range = content.parts[part] else {
        return Problem(.notFound, "the page has no part of that name").response(to: request.head)
      }
      return .part(content.bytes[range], asked: request.head)
    }
    let here = request.uri.path
    // Screen readers read the title first, so after a change it begins with the result.
    let outcome = notice?.heading ?? (status == .ok ? nil : "Nothing was changed")
    return .document(title: (outcome.map { "\($0) – " } ?? "") + title, status: status, hasScript: true) { body in
      body.icons()
      addBar(hasHeading ? nil : title, to: &body)
      addSide(here: here, to: &body)
      body.open(
        "main",
        [
          "id": "main", "class": "app", "tabindex": "-1", "data-session": visitor.mark,
          "data-change": change.map { "\($0)" } ?? "", "data-scope": visitor.grant.scope.rawValue,
        ])
      body.markup("\n<div id=\"status\" role=\"status\">")
      notice?.add(to: &body)
      if leftOut > 0 {
        body.element("div", ["class": "faults"]) { body in
          body.paragraph(
            "Left out: \(counted(leftOut, "record")) that cannot be read. 'belfry store check' tells more.")
        }
      }
      body.markup("</div>\n")
      make(&body)
      body.markup("</main>\n")
    }
  }
}

extension StoreCalls {
  /// Reads a page and its frame from one state.
  func page<Content: Sendable>(
    _ request: Request, _ visitor: Access, _ make: @escaping @Sendable (Sight) throws -> Content
  ) async throws -> (Content, Shell) {
    try await read(for: visitor) { sight in (try make(sight), try Shell(request, visitor, sight)) }
  }

  /// Reads a page past records that cannot be read, and its frame, which shows the number of these.
  func wholePage<Content: Sendable>(
    _ request: Request, _ visitor: Access, _ make: @escaping @Sendable (Sight) throws -> Content
  ) async throws -> (Content, Shell) {
    try await read(for: visitor) { sight in
      var ((page, shell), leftOut) = try sight.leavingOut {
        (try make(sight), try Shell(request, visitor, sight))
      }
      shell.leftOut = leftOut
      return (page, shell)
    }
  }

  /// Reads the frame of a page that shows no data of the store.
  func shell(_ request: Request, _ visitor: Access) async throws -> Shell {
    try await read(for: visitor) { try Shell(request, visitor, $0) }
  }
}

/// The time and the zones of a page.
struct PageTime: Viewpoint, Sendable {
  let planner: Planner
  let now: Date

  init(_ reading: Reading) { (planner, now) = (reading.planner, reading.now) }

  /// A moment that shows instants in the zone of an item.
  func moment(_ zone: ItemZone) -> Moment { Moment(zone: displayZone(zone), now: now) }
}
