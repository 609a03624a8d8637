import BelfryEngine
import BelfryModel
import HTTPTypes
import Hummingbird
import OrderedJSON

/// An error as a program reads it (RFC 9457).
struct Problem: Error {
  let status: HTTPResponse.Status
  /// The fault, in one line.
  var detail: String
  /// The next step for the user, in one line.
  let hint: String?
  /// Seconds after which to try again.
  let retryAfter: Int?
  /// The methods that the path takes, as the field Allow names them.
  let allow: String?
  /// The errors of the fields that were sent, for programs.
  var errors: [FieldFault] = []
  /// The cookie that goes with the reply.
  var cookie: String?
  /// The items that the rest of the request changed, if that was carried out.
  var items: [JSONValue]?

  init(
    _ status: HTTPResponse.Status, _ detail: String, hint: String? = nil, retryAfter: Int? = nil,
    allow: String? = nil
  ) {
    self.status = status
    self.detail = detail
    self.hint = hint
    self.retryAfter = retryAfter
    self.allow = allow
  }
}

/// An error whose words are only logged, since the sender has shown no right to know where data is stored.
struct Concealed: Error {
  let error: BelfryError
  /// True if the request may be the repeat of one that took effect.
  var isOfRepeat = false
}

extension Problem {
  /// An error of a use case, with the status of its kind unless another is given.
  init(_ error: BelfryError, status given: HTTPResponse.Status? = nil) {
    let usual: HTTPResponse.Status =
      switch error.kind {
      case .usage: .badRequest
      case .badInput: .unprocessableContent
      case .notFound: .notFound
      case .refused: .badGateway
      case .tryAgain: .serviceUnavailable
      case .noPermission: .forbidden
      case .internalError, .cannotCreate, .storeFailed, .badConfig: .internalServerError
      }
    self.init(given ?? usual, error.message, hint: error.hint, retryAfter: error.kind == .tryAgain ? 1 : nil)
    if let field = error.field { errors = [FieldFault(field, error)] }
  }

  /// Any error that a request ended with.
  init(any error: any Error) {
    switch error {
    case let error as Problem: self = error
    case let error as BelfryError: self.init(error)
    case let error as Concealed where error.isOfRepeat:
      self.init(
        error.error.kind == .tryAgain ? .serviceUnavailable : .internalServerError,
        "cannot tell yet whether this request was already carried out",
        hint: "send it again with the same Idempotency-Key",
        retryAfter: 1)
    case let error as Concealed where error.error.kind == .tryAgain:
      self.init(
        .serviceUnavailable, "the store is busy: nothing was changed", hint: "try again in a moment", retryAfter: 1)
    case let error as Concealed where error.error.kind == .badInput: self.init(error.error)
    case is Concealed:
      self.init(.internalServerError, "this cannot be done now: nothing was changed", hint: "try again later")
    case let error as any HTTPResponseError where error.status == .contentTooLarge:
      self.init(.contentTooLarge, "the request's body is too long")
    case let error as any HTTPResponseError where error.status == .notFound:
      self.init(.notFound, "there is nothing at this path")
    case let error as any HTTPResponseError: self.init(error.status, error.status.reasonPhrase.lowercased())
    case is CancellationError:
      self.init(.serviceUnavailable, "the request was cancelled before it was done", retryAfter: 1)
    default: self.init(.internalServerError, "an internal error of Belfry")
    }
  }

  /// The header fields of the reply.
  var fields: HTTPFields {
    var fields = HTTPFields()
    if status == .unauthorized { fields[.wwwAuthenticate] = "Bearer" }
    if let retryAfter { fields[.retryAfter] = "\(retryAfter)" }
    if let allow { fields[.allow] = allow }
    return fields
  }

  /// The media type of its JSON (RFC 9457).
  static let mediaType = "application/problem+json"

  /// The body of the reply.
  var json: JSONValue { Self.form.json(self) }

  /// The members of the body.
  static let form = ShownForm<Problem>("Problem", isOpen: true) { members in
    members.add("type", .text) { _ in "about:blank" }
    members.add("title", .text) { $0.status.reasonPhrase }
    members.add("status", .number(in: 400...599)) { $0.status.code }
    members.add("detail", .text) { $0.detail }
    members.addNullable("hint", .text) { $0.hint }
    members.addOptional("errors", .array(of: .form(FieldFault.form))) { $0.errors.isEmpty ? nil : $0.errors }
    members.addOptional(
      "items", .array(of: ShownType(.named("Item")) { $0 }),
      "what the rest of the request changed, where it was carried out"
    ) { $0.items }
  }

  var response: Response {
    var headers = fields
    headers[.contentType] = Self.mediaType
    return Response(
      status: status, headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(string: json.serialized() + "\n")))
  }
}
