import BelfryEngine
import HTTPTypes
import Hummingbird
import Interchange
import NIOCore
import WebAccess

/// The calendar to subscribe to, for clients that know its token.
struct FeedRoutes: RouteGroup {
  private static let days = 90

  let calls: StoreCalls
  let visitors: Visitors

  var routes: [WebRoute] {
    [
      WebRoute(method: .get, path: "\(FeedPath.prefix):token", right: .none) { request, context in
        try await reply(request, context)
      }
    ]
  }

  private func reply(_ request: Request, _ context: WebContext) async throws -> Response {
    guard let name = context.parameters.get("token"), name.hasSuffix(FeedPath.suffix) else {
      throw Problem(.notFound, "there is nothing at this path")
    }
    // Calendar programs send their token only in the path, so other credentials in the request are ignored.
    var head = request.head
    head.headerFields[.authorization] = "Bearer \(name.dropLast(FeedPath.suffix.count))"
    let (visitor, _) = try await visitors.access(of: head, from: context.peer)
    guard visitor.grant.scope.includes(.feed) else {
      throw Problem(
        .forbidden, "'\(visitor.shownName)' has the scope \(visitor.grant.scope.rawValue)", hint: "this needs feed")
    }
    let text = try await calls.read(for: visitor) { sight in
      var owners = try OwnersInSight(sight)
      let rings = try sight.reading.agenda(days: Self.days) { try owners.include($0) }.rings
      return String(decoding: try FeedWriter.calendar(of: rings, sight.reading), as: UTF8.self)
    }
    return response(text, to: request.head)
  }

  private func response(_ text: String, to head: HTTPRequest) -> Response {
    let tag = EntityTag(text)
    var fields: HTTPFields = [.eTag: tag.description]
    // The path is a secret, so shared caches must not store the reply; the client's cache may, but must revalidate it.
    fields[.cacheControl] = "private, no-cache"
    if let known = head.headerFields[.ifNoneMatch], EntityTag.Expected(known, isWeak: true).includes(tag) {
      return Response(status: .notModified, headers: fields)
    }
    fields[.contentType] = "text/calendar; charset=utf-8"
    return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
