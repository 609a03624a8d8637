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
    let lastID = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
    let body = ResponseBody { [feed, time] writer in
      var known: FeedState?
      // Begun here: the reply to HEAD has no body.
      for await state in feed.updates(for: lists) {
        guard state.holds(access, at: time.now) else { break }
        let text = known.map { Self.text(after: $0, state, lists) } ?? Self.opening(state, lastID: lastID)
        known = state
        if !text.isEmpty { try await writer.write(ByteBuffer(string: text)) }
      }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
  }

  /// The beginning of a stream: its place, or what a page that was away has to do.
  static func opening(_ state: FeedState, lastID: String?) -> String {
    guard let lastID else { return "id: \(state.number)\n\n" }
    guard let last = Int64(lastID), (0...state.number).contains(last) else { return event("reset", state) }
    return last == state.number ? "id: \(state.number)\n\n" : event("change", state)
  }

  /// The events that lead a page from a state that it knew to the present one.
  static func text(after known: FeedState, _ state: FeedState, _ lists: Set<UUID>?) -> String {
    if state.era != known.era { return event("reset", state) }
    let isChanged = lists.map { state.views[$0] != known.views[$0] } ?? (state.number != known.number)
    if isChanged { return event("change", state) }
    return state.beats == known.beats ? "" : ":\n\n"
  }

  private static func event(_ name: String, _ state: FeedState) -> String {
    "id: \(state.number)\nevent: \(name)\ndata: {\"change\": \(state.number)}\n\n"
  }
}
