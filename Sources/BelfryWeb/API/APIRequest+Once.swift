import Digests
import HTTPTypes
import WebAccess

extension OnceRequests {
  /// The reply to a request: the kept one if the request was received before.
  ///
  /// - Parameter work: carries it out.
  func reply(
    to request: APIRequest, _ work: @Sendable (APIRequest) async throws -> APIReply
  ) async throws -> APIReply {
    guard let key = try Self.key(of: request.head) else { return try await work(request) }
    let digest = request.upload?.digest() ?? SHA256.digest(request.bytes)
    let content = Self.content(request.head.path ?? "", digest)
    return try await reply(to: OnceRequest(key: key, from: request.visitor, content: content)) {
      try await work(request.once($0))
    } again: {
      try APIReply($0)
    }
  }
}

extension APIRequest {
  /// Notes that the request is done, before something that no transaction holds: it is not begun twice, whatever ends it.
  func noteBeforehand() async throws {
    guard let ticket else { return }
    try await services.calls.makeTogether(
      once: ticket, keeping: { KeptReply(status: HTTPResponse.Status.ok.code, body: nil) }
    ) { _ in }
  }

  /// Keeps the reply to what was noted beforehand.
  func keep(_ reply: APIReply) async {
    guard let ticket else { return }
    let kept = reply.kept
    // It was done: the reply says so, even if it could not be kept.
    _ = try? await services.calls.run { _ in try OnceTicket.keep([(ticket, kept)]) }
  }
}
