import HTTPTypes
import Hummingbird
import MessageText
import NIOCore

/// A page put together from texts, each of which is shown as text.
struct HTML {
  private(set) var text = ""

  /// A text.
  mutating func add(_ words: String) { text += words.escapedForHTML() }

  /// An element with what it encloses.
  mutating func element(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ make: (inout HTML) -> Void
  ) {
    let attributes = attributes.map { " \($0)=\"\($1.escapedForHTML())\"" }.joined()
    text += "<\(name)\(attributes)>"
    make(&self)
    text += "</\(name)>\n"
  }

  /// An element with a text.
  mutating func element(_ name: String, _ words: String, _ attributes: KeyValuePairs<String, String> = [:]) {
    element(name, attributes) { $0.add(words) }
  }

  /// A paragraph.
  mutating func paragraph(_ words: String, _ attributes: KeyValuePairs<String, String> = [:]) {
    element("p", words, attributes)
  }

  /// A form of one button, which posts.
  ///
  /// - Parameters:
  ///   - style: the class of the button.
  ///   - fields: the hidden fields that it sends, by name.
  mutating func form(
    action: String, button: String, style: String = "plain", fields: KeyValuePairs<String, Int64> = [:]
  ) {
    element("form", ["method": "post", "action": action]) { form in
      for (name, value) in fields { form.text += "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">" }
      form.element("button", button, ["class": style, "dir": "auto"])
    }
  }
}

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
    var body = HTML()
    make(&body)
    let text = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title.escapedForHTML()) – Belfry</title>
      <link rel="stylesheet" href="\(Stylesheet.path)">
      </head>
      <body>
      <main>
      \(body.text)</main>
      </body>
      </html>

      """
    return Response(
      status: status, headers: [.contentType: "text/html; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}

extension HTTPFields {
  /// Sets a field by its name.
  mutating func set(_ name: String, _ value: String) {
    if let name = HTTPField.Name(name) { self[name] = value }
  }
}
