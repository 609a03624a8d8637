import HTTPTypes
import Hummingbird

/// Replies to methods that no route of a path takes: OPTIONS with the methods that some route takes, every other method
/// with a refusal that names them (RFC 9110, sections 9.3.7 and 15.5.6).
///
/// No route runs, so that the reply does not depend on a token in the path or request.
struct PathMethods: RouterMiddleware {
  private let replies: RouterResponder<WebContext>

  /// - Parameter routes: all routes of the server.
  init(of routes: [Router<WebContext>.RouteDescription]) {
    let router = Router(context: WebContext.self)
    for routes in Dictionary(grouping: routes, by: \.path.description).values {
      let methods = Set(routes.map(\.method))
      // The library replies to HEAD wherever it does to GET.
      let all = methods.union(methods.contains(.get) ? [.head, .options] : [.options])
      let names = all.map(\.rawValue).sorted().joined(separator: ", ")
      router.on(routes[0].path, method: .options) { _, _ in
        Response(status: .noContent, headers: [.allow: names])
      }
    }
    replies = router.buildResponder()
  }

  func handle(
    _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    var question = request.head
    question.method = .options
    let reply = try await replies.respond(to: Request(head: question, body: request.body), context: context)
    guard let names = reply.headers[.allow] else { return try await next(request, context) }
    guard request.method == .options else {
      throw Problem(
        .methodNotAllowed, "\(request.method.rawValue) is not for this path", hint: "it takes \(names)", allow: names)
    }
    return reply
  }
}
