import Digests
import HTTPTypes
import Hummingbird
import NIOCore
import OrderedJSON

extension Response {
  /// A page under a heading.
  static func page(
    _ title: String, status: HTTPResponse.Status = .ok, _ make: (inout HTML) -> Void
  ) -> Response {
    page(title: title, status: status) { body in
      body.element("h1", title)
      make(&body)
    }
  }

  /// A page that has its own heading.
  static func page(
    title: String, status: HTTPResponse.Status = .ok, _ make: (inout HTML) -> Void
  ) -> Response {
    document(title: title, status: status) { body in
      body.element("main", [:], make)
    }
  }

  /// A document, by its body.
  ///
  /// - Parameter hasScript: true if the page loads the page script, and can be installed.
  static func document(
    title: String, status: HTTPResponse.Status = .ok, hasScript: Bool = false, _ make: (inout HTML) -> Void
  ) -> Response {
    var page = HTML()
    page.head(title, hasScript: hasScript)
    make(&page)
    page.markup("</body>\n</html>\n")
    return Response(status: status, headers: htmlFields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: page.bytes)))
  }

  /// One live part of a page; only its tag if the browser already has the part (RFC 9110, section 13.1.2).
  static func part(_ bytes: ArraySlice<UInt8>, asked head: HTTPRequest) -> Response {
    let tag = "\"\(Base64URL.encode(SHA256.digest(Array(bytes)).prefix(12)))\""
    let isKnown = head.headerFields[.ifNoneMatch].map { $0.contains(tag) } ?? false
    var response = Response(
      status: isKnown ? .notModified : .ok, headers: htmlFields,
      body: isKnown ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    response.headers[.eTag] = tag
    return response
  }

  /// JSON for a program or a page's script.
  static func json(_ value: JSONValue) -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: value.serialized() + "\n")))
  }

  /// The reply that redirects a browser after a change.
  static func leading(to path: String) -> Response { Response(status: .seeOther, headers: [.location: path]) }

  private static let htmlFields: HTTPFields = [.contentType: "text/html; charset=utf-8"]
}

extension HTML {
  fileprivate mutating func head(_ title: String, hasScript: Bool) {
    markup(
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>
      """)
    add(title)
    markup(" – Belfry</title>\n<link rel=\"stylesheet\" href=\"")
    add(AssetRoutes.stylesheet.path)
    markup("\">\n")
    icon()
    if hasScript { assets() }
    markup("</head>\n<body>\n")
  }
}
