import Hummingbird
import WebAccess

/// The links to pages that are rarely needed.
struct SettingsPage {
  /// A page of the settings, with the right that it asks for.
  private struct Place {
    let name: StaticString
    let path: StaticString
    let words: StaticString
    let right: RouteRight
  }

  private static let places = [
    Place(
      name: "Channels", path: "/sinks", words: "Where it rings, and a test of each", right: .allLists(.read)),
    Place(
      name: "Notifications", path: "/notifications", words: "The browsers and phones that ring by themselves",
      right: .allLists(.read)),
    Place(
      name: "Deliveries", path: "/deliveries", words: "What rang, where it went, and what did not arrive",
      right: .scope(.read)),
    Place(name: "Answers", path: "/answers", words: "Who answered what", right: .scope(.read)),
    Place(
      name: "Access", path: "/access", words: "Browsers, passkeys and programs that have access",
      right: .scope(.read)),
    Place(
      name: "Config", path: "/config", words: "The file in force, and what belfry doctor says of it",
      right: .allLists(.admin)),
  ]

  let visitor: Access
  /// The names of the sinks to which the visitor's browser can subscribe, one for each channel.
  let channels: [String]
  /// The name of the visitor's browser; `nil` if it is unknown.
  let browser: String?

  func add(to body: inout HTML) {
    addSubscribing(to: &body)
    body.markup("<ul class=\"lists ways\">\n")
    for place in Self.places where place.right.permits(visitor.grant) {
      body.markup("<li><a class=\"brief\" href=\"")
      body.markup(place.path)
      body.markup("\">")
      body.markup(place.name)
      body.markup("</a><span class=\"sub\">")
      body.markup(place.words)
      body.markup("</span></li>\n")
    }
    body.markup("</ul>\n")
    if !visitor.grant.isForAllLists { body.paragraph(Self.limits, ["class": "hint"]) }
    // Only visitors who decide about access find the forms for links and tokens.
    let decides = RouteRight.allLists(.admin).permits(visitor.grant)
    body.markup("<section class=\"card\"><h2>On a phone</h2>\n<p>Open this address in its browser, sign in")
    body.markup(decides ? " by a link from Access" : " there")
    body.markup(
      """
      , and choose “Add to home screen”: Belfry then starts as an app, and shows what it showed last without a \
      network.</p></section>

      """)
    guard decides else { return }
    body.markup(
      """
      <section class="card"><h2>In a calendar</h2>
      <p>Under Access, make a token with the scope “feed”. Your calendar program can subscribe to its URL.</p></section>

      """)
  }

  /// Tells visitors with access to some lists why pages about all lists are missing.
  static let limits = "Your access covers some lists only."

  private func addSubscribing(to body: inout HTML) {
    guard !channels.isEmpty, RouteRight.allLists(.answer).permits(visitor.grant) else { return }
    body.markup("<section class=\"card\" data-here><h2>This browser</h2>\n")
    body.markup("<p hidden>Reminders ring here, also while no page is open. ")
    body.markup("<a href=\"/notifications\">Test or end it</a></p>\n")
    for channel in channels {
      if channels.count > 1 { body.element("h3", channel, ["dir": "auto"]) }
      SubscribeForm(channel: channel, browser: browser, place: nil).add(to: &body)
    }
    body.markup("</section>\n")
    SubscribeForm.addScript(to: &body)
  }
}

/// The page of the settings.
struct SettingsRoutes: RouteGroup {
  let calls: StoreCalls
  let setup: WebSetup

  var routes: [WebRoute] {
    [
      WebRoute(method: .get, path: "/settings", right: .scope(.read)) { request, context in
        let visitor = try context.signedIn()
        let shell = try await calls.shell(request, visitor)
        let page = SettingsPage(
          visitor: visitor, channels: setup.pushChannels.map { $0.names[0] }, browser: BrowserName.name(request.head))
        return shell.response("Settings", to: request) { page.add(to: &$0) }
      }
    ]
  }
}
