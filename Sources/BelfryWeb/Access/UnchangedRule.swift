import BelfryEngine
import BelfryModel
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Synchronization
import WebAccess

/// Replies 304 at once if the client knows the last reply to the same request, and neither the store nor the minute has
/// changed since.
///
/// After a change all open pages request the same parts, so that only the first request for each part is worked on.
struct UnchangedRule: Sendable {
  let calls: StoreCalls
  let replies: UnchangedReplies

  /// Replies to a request of a visitor.
  ///
  /// - Parameters:
  ///   - state: the state of the store, if it was read after the request arrived.
  ///   - make: makes the reply.
  func reply(
    to request: Request, by visitor: Access, in state: UnchangedReplies.State?, _ make: () async throws -> Response
  ) async throws -> Response {
    guard let question = UnchangedReplies.Question(request.head, by: visitor),
      let state = try await present(state)
    else { return try await make() }
    if let fields = replies.fields(for: question, in: state) { return Response(status: .notModified, headers: fields) }
    let response = try await make()
    // The reply shows this state or a later one, so a client that knows its tag knows this state.
    if [.ok, .notModified].contains(response.status), let tag = response.headers[.eTag] {
      var fields = response.headers
      fields[.contentType] = nil
      fields[.contentLength] = nil
      replies.keep(fields, tag: tag, for: question, in: state)
    }
    return response
  }
}

extension UnchangedRule {
  private func present(_ known: UnchangedReplies.State?) async throws -> UnchangedReplies.State? {
    if let known { return known }
    return try await calls.run { try UnchangedReplies.State($0) }
  }
}

/// The tags of the replies that follow from the present state.
final class UnchangedReplies: Sendable {
  /// A request of a client that knows an earlier reply.
  struct Question: Hashable, Sendable {
    private static let longest = 1_000

    private let path: String
    private let part: String?
    private let accepted: String?
    private let visitor: Holder
    /// The tags that the client knows.
    fileprivate let known: String

    static func == (one: Question, other: Question) -> Bool {
      one.path == other.path && one.part == other.part && one.accepted == other.accepted && one.visitor == other.visitor
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(path)
      hasher.combine(part)
      hasher.combine(visitor)
    }

    /// True if a request may be such a question: a GET with `If-None-Match`.
    static func isAsked(in head: HTTPRequest) -> Bool { head.method == .get && head.headerFields[.ifNoneMatch] != nil }

    /// The question of a request; `nil` for other requests, for those with `due_before`, whose time may be relative to
    /// this second, and for those that are too long to keep.
    init?(_ head: HTTPRequest, by visitor: Access) {
      guard head.method == .get, let path = head.path, let known = head.headerFields[.ifNoneMatch],
        RequestTarget.decoded(path[...])?.contains("due_before=") == false
      else { return nil }
      (part, accepted) = (head.headerFields[named: "Fragment"], head.headerFields[.accept])
      (self.path, self.known, self.visitor) = (path, known, Holder(visitor))
      let length = [path, known, part ?? "", accepted ?? ""].reduce(0) { $0 + $1.utf8.count }
      guard length <= Self.longest else { return nil }
    }
  }

  /// The state of the store and of the clock, which determines the replies.
  struct State: Equatable, Sendable {
    let change: Int64
    let minute: Int64
    /// True at the first instant of the minute, when an item that is due then is not overdue yet.
    let isItsStart: Bool

    init(change: Int64, now: Date) {
      let seconds = now.timeIntervalSince1970
      let minute = (seconds / 60).rounded(.down)
      (self.change, self.minute, isItsStart) = (change, Int64(minute), seconds == minute * 60)
    }

    /// The state of a store; `nil` if its changes have no numbers.
    init?(_ belfry: Belfry) throws {
      guard let change = try belfry.store.read({ try $0.changeNumber() }) else { return nil }
      self.init(change: change, now: belfry.time.now)
    }
  }

  private static let most = 1_000
  private let kept = Mutex<(state: State?, replies: [Question: (tag: String, fields: HTTPFields)])>((nil, [:]))

  /// The header fields of the reply 304 if the client knows the last reply; `nil` if the reply has to be made.
  func fields(for question: Question, in state: State) -> HTTPFields? {
    guard let reply = kept.withLock({ $0.state == state ? $0.replies[question] : nil }),
      EntityTag.Expected(question.known, isWeak: true).names(reply.tag)
    else { return nil }
    return reply.fields
  }

  /// Keeps the header fields of a reply, instead of those of earlier states.
  func keep(_ fields: HTTPFields, tag: String, for question: Question, in state: State) {
    kept.withLock { kept in
      if kept.state != state || kept.replies.count >= Self.most { kept = (state, [:]) }
      kept.replies[question] = (tag, fields)
    }
  }
}
