import Digests
import HTTPTypes
import Hummingbird
import NIOCore

/// A file of the pages.
struct Asset: Sendable {
  /// Its path.
  let path: String
  private let type: String
  private let bytes: [UInt8]
  private let isForever: Bool
  // Nil for a picture, which is compressed already.
  private let compressed: [UInt8]?

  /// A file whose path changes with what it says, so that browsers may keep it.
  init(_ name: String, _ ending: String, type: String, _ text: String) {
    let bytes = Array(text.utf8)
    path = Self.path(name, ending, bytes)
    (self.type, self.bytes, isForever, compressed) = (type, bytes, true, Self.compress(bytes))
  }

  /// A file of a path that stays, which browsers ask for each time.
  init(path: String, type: String, _ text: String) {
    let bytes = Array(text.utf8)
    (self.path, self.type, self.bytes, isForever, compressed) = (path, type, bytes, false, Self.compress(bytes))
  }

  /// A picture, from its PNG in Base64 for URLs.
  init(picture name: String, _ text: String) {
    bytes = Base64URL.decode(text, count: text.utf8.count * 3 / 4) ?? []
    path = Self.path(name, "png", bytes)
    (type, isForever, compressed) = ("image/png", true, nil)
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

  /// The route that serves it: to everybody the same, so that its length tells nothing.
  var route: WebRoute {
    let (plain, short) = (response(bytes, nil), compressed.map { response($0, "gzip") })
    return WebRoute(method: .get, path: path, right: .none) { request, _ in
      guard let short, AcceptedCodings(request.headers[.acceptEncoding]).prefersGzip else { return plain }
      return short
    }
  }
}

/// The routes of the script and of what an installed page needs.
struct AssetRoutes: RouteGroup {
  /// The page script, a module without others.
  static let script = Asset(
    "script", "js", type: scriptType, [start, morphing, sending, live, offline, keys, moving].map(short).joined())
  /// The icon.
  static let icon = Asset(
    "icon", "svg", type: "image/svg+xml",
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="13" fill="#1c5a84"/>
    <path fill="#fff" d="M32 12a4 4 0 0 0-4 4c-7 2-10 8-10 15 0 8-2 10-5 13v3h38v-3c-3-3-5-5-5-13 0-7-3-13-10-15a4 4
    0 0 0-4-4zm-6 38a6 6 0 0 0 12 0z"/></svg>

    """)
  /// The same for systems that take no SVG.
  static let picture192 = Asset(picture: "icon", icon192)
  /// The same, larger.
  static let picture512 = Asset(picture: "icon", icon512)
  /// The web application manifest, by which a browser installs the pages.
  static let manifest = Asset(
    "app", "webmanifest", type: "application/manifest+json",
    """
    {"name":"Belfry","short_name":"Belfry","id":"/","start_url":"/","scope":"/","display":"standalone",
    "background_color":"#f4f2ec","theme_color":"#1c5a84",
    "icons":[{"src":"\(icon.path)","sizes":"any","type":"image/svg+xml","purpose":"any"},
    {"src":"\(picture192.path)","sizes":"192x192","type":"image/png"},
    {"src":"\(picture512.path)","sizes":"512x512","type":"image/png"}]}

    """)
  // A browser looks for the new one under the path of the old.
  static let worker = Asset(path: "/worker.js", type: scriptType, workerText)

  // Comments and indentation are not served.
  static func short(_ script: String) -> String {
    let lines = script.split(separator: "\n").map { $0.drop { $0 == " " } }
    return lines.filter { !$0.hasPrefix("//") }.map { "\($0)\n" }.joined()
  }

  static let scriptType = "text/javascript; charset=utf-8"

  var routes: [WebRoute] {
    [Self.script, Self.passkeys, Self.icon, Self.picture192, Self.picture512, Self.manifest, Self.worker].map(\.route)
  }
}

extension HTML {
  /// The links in the head of a page to its icon, manifest and script.
  mutating func assets() {
    markup("<link rel=\"icon\" type=\"image/svg+xml\" href=\"")
    add(AssetRoutes.icon.path)
    markup("\">\n<link rel=\"apple-touch-icon\" href=\"")
    add(AssetRoutes.picture192.path)
    markup("\">\n<link rel=\"manifest\" href=\"")
    add(AssetRoutes.manifest.path)
    markup("\">\n<script type=\"module\" src=\"")
    add(AssetRoutes.script.path)
    markup("\"></script>\n")
  }
}
