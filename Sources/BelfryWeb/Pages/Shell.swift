import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import HTTPTypes
import Hummingbird
import WebAccess

/// The frame of every page for whoever has signed in: the way to other pages, who it is, and what was just done.
struct Shell {
  /// A page that every other one leads to.
  struct Place {
    let name: StaticString
    let path: StaticString
    let right: RouteRight
  }

  /// The pages, in their order.
  static let places = [
    Place(name: "Lists", path: "/", right: .scope(.read)),
    Place(name: "Agenda", path: "/agenda", right: .scope(.read)),
    Place(name: "Deliveries", path: "/deliveries", right: .scope(.read)),
    Place(name: "Answers", path: "/answers", right: .scope(.read)),
    Place(name: "Sinks", path: "/sinks", right: .allLists(.read)),
    Place(name: "Config", path: "/config", right: .allLists(.admin)),
    Place(name: "Access", path: "/access", right: .scope(.read)),
  ]

  let visitor: Access
  /// The notice of the last change; `nil` for none.
  var notice: Notice?
  /// The words of the search.
  var search = ""
  /// The number of records that could not be read.
  var leftOut = 0

  /// The reply with a page, or with the one live part that a script asks for by the field `Fragment`.
  func response(
    _ title: String, to request: Request, status: HTTPResponse.Status = .ok, _ make: (inout HTML) -> Void
  ) -> Response {
    if let part = request.headers[named: "Fragment"] {
      var content = HTML()
      make(&content)
      guard let range = content.parts[part] else {
        return Problem(.notFound, "the page has no part of that name").response
      }
      return .part(content.bytes[range], asked: request.head)
    }
    let here = request.uri.path
    // A screen reader says it first: after a change that is the outcome.
    let outcome = notice?.heading ?? (status == .ok ? nil : "Nothing was changed")
    let title = (outcome.map { "\($0) – " } ?? "") + title
    return .document(title: title, status: status, hasScript: true) { body in
      addTop(to: &body, here: here)
      body.open("main", ["id": "main", "class": "app", "tabindex": "-1", "data-session": visitor.mark])
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

  private func addTop(to body: inout HTML, here: String) {
    body.markup("<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header class=\"top\">\n")
    body.markup("<a class=\"brand\" href=\"/\">Belfry</a>\n<nav aria-label=\"Pages\">")
    for place in Self.places where place.right.permits(visitor.grant) {
      let isHere = here == place.path.description
      body.element(
        "a", place.name.description,
        isHere ? ["href": here, "aria-current": "page"] : ["href": place.path.description])
    }
    body.markup("</nav>\n<form class=\"search\" role=\"search\" action=\"/search\">")
    body.open("input", ["type": "search", "name": "q", "value": search, "aria-label": "Search", "dir": "auto"])
    body.markup("<button>Search</button></form>\n<div class=\"who\">")
    body.element("span", visitor.grant.person ?? visitor.name, ["dir": "auto"])
    if visitor.kind == .session { body.form(action: "/sign-out", button: "Sign out") }
    body.markup("</div>\n</header>\n")
  }
}

/// The time and the zones of a page.
struct PageTime: Viewpoint, Sendable {
  let planner: Planner
  let now: Date

  init(_ reading: Reading) { (planner, now) = (reading.planner, reading.now) }

  /// Instants on the clock of a zone.
  func moment(_ zone: ItemZone) -> Moment { Moment(zone: displayZone(zone), now: now) }
}
