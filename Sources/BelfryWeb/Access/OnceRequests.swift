import BelfryEngine
import BelfryModel
import Digests
import FoundationEssentials
import HTTPTypes
import Hummingbird
import ItemEntry
import WebAccess

/// Carries out a request with an Idempotency-Key once, however often it is sent.
///
/// Its reply is kept first; then its change is committed together with the note that it is done. Wherever the program
/// ends, a repeat finds either both the note and the reply, or neither the note nor the change.
struct OnceRequests: Sendable {
  /// The most bytes of a key.
  static let longestKey = 255
  static let field = "Idempotency-Key"

  let visitors: Visitors
  let calls: StoreCalls
  /// The requests whose start is still to be recorded.
  private let beginnings: BatchQueue<OnceRequest, AccessStore.OnceState>

  init(visitors: Visitors, calls: StoreCalls) {
    (self.visitors, self.calls) = (visitors, calls)
    beginnings = BatchQueue { [access = visitors.access, time = visitors.time] requests in
      do {
        return try access.begin(requests, at: time.now).map(Result.success)
      } catch {
        return requests.map { _ in .failure(error) }
      }
    }
  }

  /// The key of a request; `nil` if it has none, and thus takes effect each time it is sent.
  ///
  /// - Throws: ``Problem`` 400 for an empty or a long one.
  static func key(of head: HTTPRequest) throws(Problem) -> String? {
    guard head.method == .post, let key = head.headerFields[named: field] else { return nil }
    guard (1...longestKey).contains(key.utf8.count) else {
      throw Problem(.badRequest, "\(field) is not a text of 1 to \(longestKey) bytes")
    }
    return key
  }

  /// The content of a request, by the path and the digest of the body.
  static func content(_ path: String, _ digest: [UInt8]) -> String { "\(path) \(Base64URL.encode(digest))" }

  /// The reply to a request: the kept one if the request took effect before.
  ///
  /// - Parameters:
  ///   - work: carries it out.
  ///   - again: makes the reply to a repeat from the kept reply, which is `nil` if none was kept.
  func reply<Reply>(
    to once: OnceRequest, _ work: (OnceTicket) async throws -> Reply, again: (KeptReply?) async throws -> Reply
  ) async throws -> Reply {
    let began: Date
    switch try await lookUp({ try await beginnings.output(of: once) }) {
    case .other:
      throw Problem(
        .unprocessableContent, "this \(Self.field) was used for another request", hint: "use a new key for each request"
      )
    case .new(let time): began = time
    case .known(let time):
      began = time
      if try await lookUp({ try await isDone(once, begun: time) }) { return try await again(kept(once)) }
    }
    do {
      return try await work(OnceTicket(request: once, began: began, access: visitors.access))
    } catch is RequestWasDone {
      // A copy of this request took effect at the same time.
      return try await again(kept(once))
    } catch {
      guard Self.isSenders(error) else { throw error }
      // This may have failed because a copy of this request took effect at the same time.
      if try await lookUp({ try await isDone(once, begun: began) }) { return try await again(kept(once)) }
      // The sender can correct the request and send it under the same key.
      _ = try? await visitors.useAccess { try $0.forget(once) }
      throw error
    }
  }

  private func kept(_ once: OnceRequest) async throws -> KeptReply? {
    try await lookUp { try await visitors.useAccess { try $0.reply(to: once) } }
  }

  private func isDone(_ once: OnceRequest, begun time: Date) async throws -> Bool {
    let identity = once.identity(begun: time)
    return try await calls.read { try $0.view.isDone(request: identity) }
  }

  // Until it is known whether the request took effect before, no reply may say that nothing was changed.
  private func lookUp<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as Concealed {
      throw Concealed(error: error.error, isOfRepeat: true)
    } catch let error as BelfryError {
      throw Concealed(error: error, isOfRepeat: true)
    }
  }

  private static func isSenders(_ error: any Error) -> Bool {
    error is ItemEntryFaults || Problem(any: error).status.kind == .clientError
  }
}
