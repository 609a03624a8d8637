import HTTPTypes
import Hummingbird
import WebAccess

/// An operation of the API. Its route and its part of the document follow from it.
struct APIOperation: Sendable {
  typealias Handler = @Sendable (APIRequest) async throws -> APIReply

  /// A name in a query.
  struct Parameter: Sendable {
    let name: String
    let words: String
    let schema: JSONSchema
  }

  /// The body of a request.
  enum Body: Sendable {
    case none
    /// An object; one without members if it may be left out.
    case object(JSONSchema, isRequired: Bool = true)
    case array(of: JSONSchema)
    /// An object, or a plain text in place of one of its members.
    case objectOrText(JSONSchema, member: String)
    /// A merge patch (RFC 7396).
    case patch(JSONSchema)
    /// A file in its own format.
    case file
  }

  /// The body of a reply.
  enum Form: Sendable {
    case json(JSONSchema)
    /// One page of an array.
    case page(of: JSONSchema)
    /// A file in one of several media types.
    case file([String])
  }

  /// The query parameter that sets the time to assume instead of now.
  static let now = Parameter(name: "now", words: "the time to assume instead of now", schema: .words)

  /// The path of Belfry's own operations.
  static let base = "/api/v1"

  /// The name by which programs call it.
  let id: String
  let summary: String
  let method: HTTPRequest.Method
  /// The path of the interface that it belongs to.
  let base: String
  /// The path below it, with each parameter in braces.
  let path: String
  let right: RouteRight
  /// The names that its query may have.
  let query: [Parameter]
  let body: Body
  /// True if it requires `If-Match`.
  let isConditional: Bool
  /// True if its reply stays the same within a minute, unless the store changes.
  let isSteady: Bool
  let status: HTTPResponse.Status
  let form: Form
  let handle: Handler

  init(
    _ id: String, _ summary: String, _ method: HTTPRequest.Method, _ path: String, _ right: RouteRight,
    base: String = APIOperation.base, query: [Parameter] = [], body: Body = .none, isConditional: Bool = false,
    isSteady: Bool = false, status: HTTPResponse.Status = .ok, replies form: Form, handle: @escaping Handler
  ) {
    (self.id, self.summary, self.method, self.right) = (id, summary, method, right)
    (self.base, self.path) = (base, path)
    (self.body, self.isConditional, self.status, self.form, self.handle) = (body, isConditional, status, form, handle)
    self.isSteady = isSteady
    if case .page = form { self.query = query + Self.paging } else { self.query = query }
  }

  /// The names of the parameters in its path.
  var pathParameters: [String] {
    path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
  }

  /// Its path in the form of a route.
  var routePath: String {
    base
      + path.split(separator: "/").map { "/" + ($0.hasPrefix("{") ? ":\($0.dropFirst().dropLast())" : $0) }.joined()
  }

  private static let paging = [
    Parameter(name: "limit", words: "the maximum number of elements", schema: .integer(1...Int64(PageRequest.most))),
    Parameter(name: "cursor", words: "the start of the page, from a Link header", schema: .words),
  ]
}

/// Operations on one subject; ``APIRoutes`` lists the groups.
protocol APIGroup {
  var operations: [APIOperation] { get }
}
