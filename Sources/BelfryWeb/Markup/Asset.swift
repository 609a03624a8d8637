import Digests
import HTTPTypes
import Hummingbird
import NIOCore

/// A file of the pages.
struct Asset: Sendable {
  let path: String
  private let type: String
  private let bytes: [UInt8]
  private let isForever: Bool
  // Nil for a picture, which is compressed already.
  private let compressed: [UInt8]?

  /// A file whose path changes with its bytes, so that browsers may keep it.
  init(_ name: String, _ ending: String, type: String, _ bytes: [UInt8]) {
    path = Self.path(name, ending, bytes)
    (self.type, self.bytes, isForever, compressed) = (type, bytes, true, Self.compress(bytes))
  }

  /// A file at a fixed path, which browsers request each time.
  init(path: String, type: String, _ bytes: [UInt8]) {
    (self.path, self.type, self.bytes, isForever, compressed) = (path, type, bytes, false, Self.compress(bytes))
  }

  init(picture name: String, _ bytes: [UInt8]) {
    path = Self.path(name, "png", bytes)
    (type, self.bytes, isForever, compressed) = ("image/png", bytes, true, nil)
  }

  private static func path(_ name: String, _ ending: String, _ bytes: [UInt8]) -> String {
    "/\(name)-\(Base64URL.encode(SHA256.digest(bytes).prefix(9))).\(ending)"
  }

  private static func compress(_ bytes: [UInt8]) -> [UInt8] {
    let gzip = Gzip(isThorough: true)
    return gzip.compress(bytes) + gzip.compress([], isLast: true)
  }

  private func response(_ body: [UInt8], _ coding: String?) -> Response {
    var headers: HTTPFields = [.contentType: type]
    headers[.cacheControl] = isForever ? "public, max-age=31536000, immutable" : "no-cache"
    headers[.contentEncoding] = coding
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }

  /// The route that serves it. Every client gets the same file, so its length reveals nothing.
  var route: WebRoute {
    let (plain, short) = (response(bytes, nil), compressed.map { response($0, "gzip") })
    return WebRoute(method: .get, path: path, right: .none) { request, _ in
      guard let short, AcceptedCodings(request.headers[.acceptEncoding]).prefersGzip else { return plain }
      return short
    }
  }
}
