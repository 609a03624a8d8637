import HTTPTypes
import Hummingbird
import MessageText

extension Problem {
  /// The reply, as a page if the client reads pages.
  func response(to head: HTTPRequest) -> Response {
    var response = form(for: head)
    // A browser whose session has ended must delete its copies. A request with a token was refused for the token, and
    // its session may be valid.
    if status == .unauthorized, !head.showsToken, SecretCookie.session.isShown(in: head) {
      response.headers.set(SecretCookie.clearing.name, SecretCookie.clearing.value)
    }
    return response
  }

  private func form(for head: HTTPRequest) -> Response {
    guard AcceptedForms(head).namesHTML else { return response }
    var page = Response.document(title: title, status: status) { body in
      // A visitor with a link has no other page to go to.
      if status != .unauthorized, !SecretPath.isOne(head.path ?? "") { body.barToToday() }
      body.element("main") { body in
        body.element("h1", title)
        body.paragraph(detail.capitalizedFirst + ".")
        if let hint { body.paragraph(hint.capitalizedFirst + ".", ["class": "quiet"]) }
        if leadsToSignIn(head) { body.element("p") { $0.element("a", "Sign in", ["href": "/sign-in"]) } }
      }
    }
    for field in fields { page.headers.append(field) }
    page.headers[.setCookie] = cookie
    return page
  }

  private func leadsToSignIn(_ head: HTTPRequest) -> Bool {
    status == .unauthorized || status == .gone && head.path?.hasPrefix(SecretPath.signIn) == true
  }

  private var title: String {
    switch status {
    case .unauthorized: "Not signed in"
    case .notFound: "Not found"
    case .gone: "No longer valid"
    case .tooManyRequests: "Wait a minute"
    case .serviceUnavailable, .internalServerError: "Not now"
    default: "That did not work"
    }
  }
}

extension HTML {
  /// The bar of a page without the frame of the others: it leads back to Today.
  fileprivate mutating func barToToday() {
    icons()
    element("header", ["class": "bar"]) { bar in
      bar.open("a", ["class": "back", "href": "/"])
      bar.icon(.back)
      bar.element("span", "Today")
      bar.markup("</a>")
    }
  }
}
