import BelfryModel
import Digests
import HTTPTypes
import Hummingbird
import WebAccess

/// Carries out a form with an Idempotency-Key once. A script sends a form again whose reply it did not get, and cannot know
/// whether it took effect.
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
    // The query may name the time at which it was typed, which only a repeat has to tell.
    let content = OnceRequests.content(request.uri.path, digest)
    return try await once.reply(to: OnceRequest(key: key, from: try context.signedIn(), content: content)) {
      [request] ticket in
      try await OnceTicket.$form.withValue(ticket) { try await next(request, context) }
    } again: { [request] _ in
      .leading(to: try WayBack.path(try await FormFields(request, upTo: limit), or: "/"))
    }
  }
}
