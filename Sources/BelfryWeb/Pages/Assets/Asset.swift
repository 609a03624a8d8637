import Digests
import HTTPTypes
import Hummingbird
import NIOCore

/// A file of the pages.
struct Asset: Sendable {
  /// Its path.
  let path: String
  private let type: String
  private let text: String
  private let isForever: Bool
  private let compressed: [UInt8]

  /// A file whose path changes with what it says, so that browsers may keep it.
  init(_ name: String, _ ending: String, type: String, _ text: String) {
    path = "/\(name)-\(Base64URL.encode(SHA256.digest(Array(text.utf8)).prefix(9))).\(ending)"
    (self.type, self.text, isForever, compressed) = (type, text, true, Self.compress(text))
  }

  /// A file of a path that stays, which browsers ask for each time.
  init(path: String, type: String, _ text: String) {
    (self.path, self.type, self.text, isForever, compressed) = (path, type, text, false, Self.compress(text))
  }

  private static func compress(_ text: String) -> [UInt8] {
    let gzip = Gzip(isThorough: true)
    return gzip.compress(text.utf8) + gzip.compress([], isLast: true)
  }

  private func response(_ body: ByteBuffer, _ coding: String?) -> Response {
    var headers: HTTPFields = [.contentType: type]
    headers[.cacheControl] = isForever ? "public, max-age=31536000, immutable" : "no-cache"
    headers[.contentEncoding] = coding
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
  }

  /// The route that serves it: to everybody the same, so that its length tells nothing.
  var route: WebRoute {
    let (plain, short) = (response(ByteBuffer(string: text), nil), response(ByteBuffer(bytes: compressed), "gzip"))
    return WebRoute(method: .get, path: path, right: .none) { request, _ in
      AcceptedCodings(request.headers[.acceptEncoding]).prefersGzip ? short : plain
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
  /// The web application manifest, by which a browser installs the pages.
  static let manifest = Asset(
    "app", "webmanifest", type: "application/manifest+json",
    """
    {"name":"Belfry","short_name":"Belfry","id":"/","start_url":"/","scope":"/","display":"standalone",
    "background_color":"#f4f2ec","theme_color":"#1c5a84",
    "icons":[{"src":"\(icon.path)","sizes":"any","type":"image/svg+xml","purpose":"any"}]}

    """)
  // A browser looks for the new one under the path of the old.
  static let worker = Asset(path: "/worker.js", type: scriptType, workerText)

  // Comments and indentation are not served.
  private static func short(_ script: String) -> String {
    let lines = script.split(separator: "\n").map { $0.drop { $0 == " " } }
    return lines.filter { !$0.hasPrefix("//") }.map { "\($0)\n" }.joined()
  }

  private static let scriptType = "text/javascript; charset=utf-8"

  var routes: [WebRoute] { [Self.script, Self.icon, Self.manifest, Self.worker].map(\.route) }
}

extension HTML {
  /// The links in the head of a page to its icon, manifest and script.
  mutating func assets() {
    markup("<link rel=\"icon\" type=\"image/svg+xml\" href=\"")
    add(AssetRoutes.icon.path)
    markup("\">\n<link rel=\"manifest\" href=\"")
    add(AssetRoutes.manifest.path)
    markup("\">\n<script type=\"module\" src=\"")
    add(AssetRoutes.script.path)
    markup("\"></script>\n")
  }
}
