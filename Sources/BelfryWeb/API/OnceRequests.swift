import BelfryModel
import Digests
import HTTPTypes
import Synchronization
import WebAccess

/// Carries out a request with an Idempotency-Key once, however often it is sent.
struct OnceRequests: Sendable {
  /// The most bytes of a key.
  static let longestKey = 255
  static let field = "Idempotency-Key"

  let visitors: Visitors
  let underWay: RequestsUnderWay

  /// The reply to a request: the kept one where it came before.
  ///
  /// - Parameter work: carries it out. An error has changed nothing.
  func reply(
    to request: APIRequest, _ work: @Sendable () async throws -> APIReply
  ) async throws -> APIReply {
    guard request.head.method == .post, let key = request.head.headerFields[named: Self.field] else {
      return try await work()
    }
    guard (1...Self.longestKey).contains(key.utf8.count) else {
      throw Problem(.badRequest, "\(Self.field) is not a text of 1 to \(Self.longestKey) bytes")
    }
    let once = OnceRequest(key: key, from: request.visitor, content: content(of: request))
    guard underWay.add(once.digest) else { throw Self.isUnderWay }
    defer { underWay.remove(once.digest) }
    let now = visitors.time.now
    switch try await visitors.useFile({ try $0.begin(once, at: now) }) {
    case .done(let kept): return try APIReply(kept)
    case .other:
      throw Problem(
        .unprocessableContent, "another request came under this \(Self.field)", hint: "make a key for each request")
    case .underWay: throw Self.isUnderWay
    case .begun: return try await carryOut(once, work)
    }
  }

  private static let isUnderWay = Problem(
    .conflict, "a request under this \(field) is under way", hint: "send it again in a moment", retryAfter: 1)

  private func carryOut(
    _ once: OnceRequest, _ work: @Sendable () async throws -> APIReply
  ) async throws -> APIReply {
    let reply: APIReply
    do {
      reply = try await work()
    } catch {
      try await visitors.useFile { try $0.forget(once) }
      throw error
    }
    let kept = reply.kept
    try await visitors.useFile { try $0.finish(once, with: kept) }
    return reply
  }

  private func content(of request: APIRequest) -> String {
    let digest = request.upload?.digest() ?? SHA256.digest(request.bytes)
    return "\(request.head.path ?? "") \(Base64URL.encode(digest))"
  }
}

/// The requests with a key that this process works on: no time ends their claim to it.
final class RequestsUnderWay: Sendable {
  private let digests = Mutex<Set<String>>([])

  /// Adds a request; false if it is among them.
  fileprivate func add(_ digest: String) -> Bool { digests.withLock { $0.insert(digest).inserted } }

  fileprivate func remove(_ digest: String) { digests.withLock { _ = $0.remove(digest) } }
}
