import HTTPTypes
import Hummingbird
import NIOCore

/// A page put together from texts, each of which is shown as text.
struct HTML {
  private(set) var text = ""

  /// A paragraph.
  mutating func paragraph(_ words: String) { text += "<p>\(Self.escaped(words))</p>\n" }

  /// A form of one button, which posts.
  mutating func form(action: String, button: String) {
    text += "<form method=\"post\" action=\"\(Self.escaped(action))\"><button>\(Self.escaped(button))</button></form>\n"
  }

  /// A text as it stands in elements and in attributes with double quotes.
  static func escaped(_ words: String) -> String {
    var text = ""
    for character in words.unicodeScalars {
      switch character {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      default: text.unicodeScalars.append(character)
      }
    }
    return text
  }
}

extension Response {
  /// A page under a heading.
  static func page(_ title: String, _ make: (inout HTML) -> Void) -> Response {
    var body = HTML()
    make(&body)
    let text = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(HTML.escaped(title)) – Belfry</title>
      </head>
      <body>
      <main>
      <h1>\(HTML.escaped(title))</h1>
      \(body.text)</main>
      </body>
      </html>

      """
    return Response(
      status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}

extension HTTPFields {
  /// Sets a field by its name.
  mutating func set(_ name: String, _ value: String) {
    if let name = HTTPField.Name(name) { self[name] = value }
  }
}
