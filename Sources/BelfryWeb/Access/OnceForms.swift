import BelfryModel
import Digests
import HTTPTypes
import Hummingbird
import WebAccess

/// Carries out a form with an Idempotency-Key once. A script that got no reply sends the form again, since it cannot
/// know whether the first one took effect. Only changes made by ``StoreCalls/change(by:once:keeping:requiring:_:)`` are
/// covered.
struct OnceForms: RouterMiddleware {
  let once: OnceRequests
  /// The most bytes of a form.
  let limit: Int

  func handle(
    _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    guard let key = try OnceRequests.key(of: request.head) else { return try await next(request, context) }
    var request = request
    let digest = SHA256.digest([UInt8](buffer: try await request.collectBody(upTo: limit)))
    // The query is left out, since only repeats have the time of typing in it.
    let content = OnceRequests.content(request.uri.path, digest)
    return try await once.reply(to: OnceRequest(key: key, from: try context.signedIn(), content: content)) {
      [request] ticket in
      try await OnceTicket.$form.withValue(ticket) { try await next(request, context) }
    } again: { [request] _ in
      .leading(to: try WayBack.path(try await FormFields(request, upTo: limit), or: "/"))
    }
  }
}
