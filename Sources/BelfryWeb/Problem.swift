import BelfryModel
import Hummingbird
import OrderedJSON

/// An error as a program reads it (RFC 9457).
struct Problem: Error {
  let status: HTTPResponse.Status
  /// The fault, in one line.
  let detail: String
  /// The next step for the user, in one line.
  let hint: String?
  /// Seconds after which to try again.
  let retryAfter: Int?

  init(_ status: HTTPResponse.Status, _ detail: String, hint: String? = nil, retryAfter: Int? = nil) {
    self.status = status
    self.detail = detail
    self.hint = hint
    self.retryAfter = retryAfter
  }
}

extension Problem {
  /// An error of a use case, with the status of its kind.
  init(_ error: BelfryError) {
    let status: HTTPResponse.Status =
      switch error.kind {
      case .usage: .badRequest
      case .badInput: .unprocessableContent
      case .notFound: .notFound
      case .refused: .badGateway
      case .tryAgain: .serviceUnavailable
      case .noPermission: .forbidden
      case .internalError, .cannotCreate, .storeFailed, .badConfig: .internalServerError
      }
    self.init(status, error.message, hint: error.hint, retryAfter: error.kind == .tryAgain ? 1 : nil)
  }

  /// Any error that a request ended with.
  init(any error: any Error) {
    switch error {
    case let error as Problem: self = error
    case let error as BelfryError: self.init(error)
    case let error as any HTTPResponseError where error.status == .contentTooLarge:
      self.init(.contentTooLarge, "the request's body is too long")
    case let error as any HTTPResponseError: self.init(error.status, error.status.reasonPhrase.lowercased())
    default: self.init(.internalServerError, "something went wrong inside of Belfry")
    }
  }

  /// The reply.
  var response: Response {
    let json: JSONValue = [
      "type": "about:blank",
      "title": .string(status.reasonPhrase),
      "status": .integer(Int64(status.code)),
      "detail": .string(detail),
      "hint": hint.map { .string($0) } ?? .null,
    ]
    var headers: HTTPFields = [.contentType: "application/problem+json"]
    if status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
    if let retryAfter { headers[.retryAfter] = "\(retryAfter)" }
    return Response(
      status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: json.serialized() + "\n")))
  }
}
