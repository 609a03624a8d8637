import HTTPTypes
import Hummingbird
import NIOCore
import WebAccess

/// The right that a route asks for.
enum RouteRight: Hashable, Sendable {
  /// No right: the route is public, or its path is itself a secret.
  case none
  /// A scope; the route itself is limited to the visitor's lists.
  case scope(AccessScope)
  /// A scope for all lists, since it shows all of them together.
  case allLists(AccessScope)
}

/// A route: the requests that it takes, the right that they need, and its reply.
struct WebRoute: Sendable {
  /// The reply to a request; if the route needs a right, ``WebContext/signedIn()`` returns the access of the visitor.
  typealias Reply = @Sendable (Request, WebContext) async throws -> Response

  let method: HTTPRequest.Method
  /// The path, with a colon before each parameter: `/items/:id`.
  let path: String
  let right: RouteRight
  /// True if the reply depends only on the store, the visitor and the time.
  var followsFromStore = false
  /// True if a page's form is sent there; operations of the API handle repeats themselves.
  var isForm: Bool { method == .post && right != .none && !path.hasPrefix("/api/") }
  let reply: Reply
}

/// Routes on one subject; ``WebFace`` lists the groups.
protocol RouteGroup {
  /// The routes. Nothing else replies to requests.
  var routes: [WebRoute] { get }
}

/// The context of a request: its peer and its visitor.
struct WebContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The address of the client; `nil` over a socket in the file system.
  let peer: String?
  /// The access of the request, set by a ``VisitorRule``.
  var visitor: Access?

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    peer = source.channel.remoteAddress?.ipAddress
  }
}
