import BelfryEngine
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Synchronization
import WebAccess

/// Tells a client at once that nothing has changed, where the same question had that reply within this second and the
/// store has not changed since.
///
/// After a change all open pages ask for the same parts: the first question alone is worked on.
struct UnchangedRule: RouterMiddleware {
  let calls: StoreCalls
  let replies: UnchangedReplies

  func handle(
    _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    guard let question = UnchangedReplies.Question(request.head, by: try context.signedIn()),
      let state = try await calls.read({ try UnchangedReplies.State($0) })
    else { return try await next(request, context) }
    if let fields = replies.fields(for: question, in: state) { return Response(status: .notModified, headers: fields) }
    let response = try await next(request, context)
    // The reply is of this state or of a later one, which has another number or another second.
    if response.status == .notModified { replies.keep(response.headers, for: question, in: state) }
    return response
  }
}

/// The replies of the present second that said that nothing has changed.
final class UnchangedReplies: Sendable {
  /// A request of a client that knows an earlier reply.
  struct Question: Hashable, Sendable {
    private static let longest = 1_000

    private let path: String
    private let known: String
    private let part: String?
    private let accepted: String?
    private let visitor: Holder

    /// The question of a request; `nil` for another request, and for one that is too long to keep.
    init?(_ head: HTTPRequest, by visitor: Access) {
      guard head.method == .get, let path = head.path, let known = head.headerFields[.ifNoneMatch] else { return nil }
      (part, accepted) = (head.headerFields[named: "Fragment"], head.headerFields[.accept])
      (self.path, self.known, self.visitor) = (path, known, Holder(visitor))
      let length = [path, known, part ?? "", accepted ?? ""].reduce(0) { $0 + $1.utf8.count }
      guard length <= Self.longest else { return nil }
    }
  }

  /// The store and the time, from which replies follow.
  struct State: Equatable, Sendable {
    let change: Int64
    let second: Int64

    init(change: Int64, second: Int64) { (self.change, self.second) = (change, second) }

    /// The state of a store; `nil` if its changes have no numbers.
    init?(_ reading: Reading) throws {
      guard let change = try reading.view.changeNumber() else { return nil }
      self.init(change: change, second: Int64(reading.now.timeIntervalSince1970.rounded(.down)))
    }
  }

  private static let most = 1_000
  private let known = Mutex<(state: State?, fields: [Question: HTTPFields])>((nil, [:]))

  /// The header fields of the reply; `nil` if it has to be made.
  func fields(for question: Question, in state: State) -> HTTPFields? {
    known.withLock { $0.state == state ? $0.fields[question] : nil }
  }

  /// Keeps the header fields of a reply, instead of those of earlier states.
  func keep(_ fields: HTTPFields, for question: Question, in state: State) {
    known.withLock { known in
      if known.state != state || known.fields.count >= Self.most { known = (state, [:]) }
      known.fields[question] = fields
    }
  }
}
