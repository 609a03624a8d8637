import Hummingbird

/// The first page.
struct HomeRoutes: RouteGroup {
  var routes: [WebRoute] {
    [WebRoute(method: .get, path: "/", right: .scope(.read)) { _, context in try home(context) }]
  }

  private func home(_ context: WebContext) throws -> Response {
    let visitor = try context.signedIn()
    return .page("Signed in") { body in
      body.paragraph("As \(visitor.grant.person ?? visitor.name), with the scope \(visitor.grant.scope.rawValue).")
      body.form(action: "/sign-out", button: "Sign out")
    }
  }
}
