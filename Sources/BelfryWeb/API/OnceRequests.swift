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
/// Its reply is kept, then its change is committed together with the note that it is done. Whatever ends the program in
/// between, a repeat finds the note and the reply, or neither note nor change.
struct OnceRequests: Sendable {
  /// The most bytes of a key.
  static let longestKey = 255
  static let field = "Idempotency-Key"

  let visitors: Visitors
  let calls: StoreCalls

  /// The reply to a request: the kept one if the request was received before.
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
    let now = visitors.time.now
    let began: Date
    switch try await visitors.useFile({ try $0.begin(once, at: now) }) {
    case .other:
      throw Problem(
        .unprocessableContent, "another request came under this \(Self.field)", hint: "make a key for each request")
    case .new(let time): began = time
    case .known(let time):
      began = time
      let identity = once.identity(begun: time)
      if try await calls.read({ try $0.view.isDone(request: identity) }) { return try await kept(once) }
    }
    do {
      return try await work(request.once(OnceTicket(request: once, began: began, file: visitors.file)))
    } catch is RequestWasDone {
      // By the same request at the same time.
      return try await kept(once)
    } catch {
      // The sender mends it, and sends it under its key.
      if Self.isSenders(error) { _ = try? await visitors.useFile { try $0.forget(once) } }
      throw error
    }
  }

  private func kept(_ once: OnceRequest) async throws -> APIReply {
    try APIReply(try await visitors.useFile { try $0.reply(to: once) })
  }

  private static func isSenders(_ error: any Error) -> Bool {
    error is ItemEntryFaults || Problem(any: error).status.kind == .clientError
  }

  private func content(of request: APIRequest) -> String {
    let digest = request.upload?.digest() ?? SHA256.digest(request.bytes)
    return "\(request.head.path ?? "") \(Base64URL.encode(digest))"
  }
}

/// A request with a key that is being carried out.
struct OnceTicket: Sendable {
  fileprivate let request: OnceRequest
  fileprivate let began: Date
  fileprivate let file: AccessFile

  /// Makes changes that take effect once, and keeps the reply that they give.
  func carryOut(_ belfry: Belfry, _ body: (Belfry) throws -> APIReply) throws -> APIReply {
    try belfry.once(request.identity(begun: began), body) { try keep($0.kept) }
  }

  /// Notes, before it is begun, that something is done outside a transaction.
  func noteBeforehand(_ belfry: Belfry) throws {
    try belfry.once(request.identity(begun: began)) { _ in
    } keep: {
      try keep(KeptReply(status: HTTPResponse.Status.ok.code, body: nil))
    }
  }

  func keep(_ reply: KeptReply) throws { try file.keep(reply, to: request, begun: began) }
}

extension APIRequest {
  /// Notes that the request is done, before something that no transaction holds: it is not begun twice, whatever ends it.
  func noteBeforehand() async throws {
    guard let ticket else { return }
    try await services.calls.run { try ticket.noteBeforehand($0) }
  }

  /// Keeps the reply to what was noted beforehand.
  func keep(_ reply: APIReply) async {
    guard let ticket else { return }
    let kept = reply.kept
    // It was done: the reply says so, even if it could not be kept.
    _ = try? await services.calls.run { _ in try ticket.keep(kept) }
  }
}
