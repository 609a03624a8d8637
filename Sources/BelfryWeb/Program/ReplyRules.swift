import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOHTTP1

/// Rules for every reply: errors in one form, and the header fields that restrict a browser.
struct ReplyRules: RouterMiddleware {
  let time: any TimeSource
  let log: EventLog

  func handle(
    _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      response = try await next(request, context)
    } catch let error as HTTPParserError {
      // The library replies to bytes that are not HTTP, and closes the connection.
      throw error
    } catch {
      response = reply(to: request, after: error)
    }
    if SecretPath.isOne(request.uri.path) { response.headers.set("Referrer-Policy", "no-referrer") }
    for field in Self.fields where !response.headers.contains(field.name) { response.headers.append(field) }
    response.headers[.date] = HTTPDate.text(time.now)
    return response
  }

  private func reply(to request: Request, after error: any Error) -> Response {
    let problem = Problem(any: error)
    let response = problem.response(to: request.head)
    if problem.status.kind == .serverError, !(error is CancellationError) {
      let path = LoggedPath.text(request.uri.path)
      log(Event(.error, "\(request.method) \(path): \(Self.words(for: error))"))
    }
    return request.method == .head ? response.createHeadResponse() : response
  }

  private static func words(for error: any Error) -> String {
    ((error as? Concealed)?.error ?? error as? BelfryError)?.line ?? "\(error)"
  }

  private static let fields = [
    ("Content-Security-Policy", AssetRoutes.policy), ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "same-origin"), ("Cache-Control", "no-store"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"), ("X-Robots-Tag", "noindex"),
  ].compactMap { name, value in HTTPField.Name(name).map { HTTPField(name: $0, value: value) } }
}

/// A path for the log, with possible tokens cut.
enum LoggedPath {
  private static let length = 6

  static func text(_ path: String) -> String {
    path.split(separator: "/").map { part in
      part.count > Self.length ? "/\(part.prefix(Self.length))…" : "/\(part)"
    }.joined()
  }
}

/// A date of HTTP (RFC 9110, section 5.6.7): `Sat, 21 Nov 2026 08:00:00 GMT`.
enum HTTPDate {
  static func text(_ instant: Date) -> String {
    let seconds = Int(instant.timeIntervalSince1970.rounded(.down))
    let wall = Zone.utc.wallTime(at: instant)
    let date = wall.date
    let second = ((seconds % 60) + 60) % 60
    let (weekday, month) = (WhenWords.shortName(of: date.weekday), WhenWords.shortName(ofMonth: date.month))
    return "\(weekday), \(date.day.padded(to: 2)) \(month) \(date.year) \(wall.time):\(second.padded(to: 2)) GMT"
  }
}
