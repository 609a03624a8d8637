import BelfryEngine
import BelfryModel
import Digests
import FoundationEssentials
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
  let calls: StoreCalls

  /// The reply to a request: the kept one where it came before.
  ///
  /// - Parameter work: carries it out.
  func reply(
    to request: APIRequest, _ work: @Sendable (APIRequest) async throws -> APIReply
  ) async throws -> APIReply {
    guard request.head.method == .post, let key = request.head.headerFields[named: Self.field] else {
      return try await work(request)
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
    case .begun(let began): return try await carryOut(once, request, identities(once, began), work)
    case .begunAgain(let began):
      let identities = identities(once, began)
      guard try await !isMade(identities) else { return try await wasDone(once) }
      return try await carryOut(once, request, identities, work)
    }
  }

  // The same each time that this request comes, so that what it made is found; others once its key has ended.
  private func identities(_ once: OnceRequest, _ began: Date) -> NewIdentities {
    NewIdentities(seed: "\(once.digest) \(Int64(began.timeIntervalSince1970))")
  }

  private func isMade(_ identities: NewIdentities) async throws -> Bool {
    try await calls.read { try identities.areMade(in: $0.view) }
  }

  // Its reply went with the process, or with the lock, that kept it from being written down.
  private func wasDone(_ once: OnceRequest) async throws -> APIReply {
    let lost = KeptReply(status: HTTPResponse.Status.ok.code, location: nil, body: nil)
    _ = try? await visitors.useFile { try $0.finish(once, with: lost) }
    return try APIReply(lost)
  }

  private static let isUnderWay = Problem(
    .conflict, "a request under this \(field) is under way", hint: "send it again in a moment", retryAfter: 1)

  private func carryOut(
    _ once: OnceRequest, _ request: APIRequest, _ identities: NewIdentities,
    _ work: @Sendable (APIRequest) async throws -> APIReply
  ) async throws -> APIReply {
    let reply: APIReply
    do {
      reply = try await work(request.making(identities))
    } catch {
      // An error may come after the change, too.
      guard try await !isMade(identities) else { return try await wasDone(once) }
      // Where it cannot be forgotten now, it counts as under way for a minute, and is then looked for as here.
      _ = try? await visitors.useFile { try $0.forget(once) }
      throw error
    }
    // The change is on disk, so the reply says so. Where it cannot be kept, a repeat finds what was made.
    let kept = reply.kept
    _ = try? await visitors.useFile { try $0.finish(once, with: kept) }
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
