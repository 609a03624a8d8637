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
  /// Notes that the request is done, before work that no transaction covers: even if the program ends during the work,
  /// a repeat of the request does not start it again.
  func noteBeforehand() async throws {
    guard let ticket else { return }
    try await services.calls.makeTogether(
      once: ticket, keeping: { KeptReply(status: HTTPResponse.Status.ok.code, body: nil) }
    ) { _ in }
  }

  /// Keeps the reply to a request that was noted beforehand.
  func keep(_ reply: APIReply) async {
    guard let ticket else { return }
    let kept = reply.kept
    // The work is done: the client learns so even if the reply could not be kept.
    _ = try? await services.calls.run { _ in try OnceTicket.keep([(ticket, kept)]) }
  }
}
