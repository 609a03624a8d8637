import CivilTime
import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import WebAccess

/// The stream of changes, in the form of server-sent events (HTML standard, section 9.2).
struct EventRoutes: RouteGroup {
  let feed: StoreFeed
  let time: any TimeSource

  var routes: [WebRoute] {
    [WebRoute(method: .get, path: "/api/v1/events", right: .scope(.read)) { try stream($0, $1) }]
  }

  private func stream(_ request: Request, _ context: WebContext) throws -> Response {
    let access = try context.signedIn()
    let lists = access.grant.isForAllLists ? nil : Set(access.grant.lists)
    // A page that had no stream before sends the number of the change that it shows.
    let shown = try FormFields(query: request).text("last")
    let lastID = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] } ?? shown
    let body = ResponseBody { [feed, time] writer in
      var known: FeedState?
      // The feed is opened inside the body writer, which a reply to HEAD never runs.
      for await state in feed.updates(for: lists) {
        guard state.holds(access, at: time.now) else { break }
        let text = known.map { Self.text(after: $0, state, lists) } ?? Self.opening(state, lists, lastID: lastID)
        known = state
        if !text.isEmpty { try await writer.write(ByteBuffer(string: text)) }
      }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
  }

  /// The beginning of a stream: its number, or the event for a page that missed changes.
  static func opening(_ state: FeedState, _ lists: Set<UUID>?, lastID: String?) -> String {
    let number = state.number(for: lists)
    guard let lastID else { return "id: \(number)\n\n" }
    guard let last = Int64(lastID), last >= 0, lists != nil || last <= number else { return event("reset", number) }
    return last == number ? "id: \(number)\n\n" : event("change", number)
  }

  /// The events that bring a page from a state that it knows to the present one.
  static func text(after known: FeedState, _ state: FeedState, _ lists: Set<UUID>?) -> String {
    let number = state.number(for: lists)
    if state.era != known.era { return event("reset", number) }
    if number != known.number(for: lists) { return event("change", number) }
    return state.beats == known.beats ? "" : ":\n\n"
  }

  private static func event(_ name: String, _ number: Int64) -> String {
    "id: \(number)\nevent: \(name)\ndata: {\"change\": \(number)}\n\n"
  }
}
