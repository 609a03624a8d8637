import BelfryEngine
import CivilTime
import WebAccess

/// The browsers in which reminders are shown, and the form by which the visitor's browser subscribes.
struct NotificationsPage: Sendable {
  /// The sinks of a file, with the subscriptions that the visitor may end.
  struct Channel: Sendable {
    let names: [String]
    let subscriptions: [PushSubscription]
    /// The result of each browser's last test, by the browser's name.
    let tests: [String: String]
  }

  let channels: [Channel]
  let visitor: Access
  /// The name of the visitor's browser; `nil` if it is unknown.
  let browser: String?
  let time: PageTime

  func add(to body: inout HTML) {
    guard !channels.isEmpty else {
      body.paragraph("The config has no channel of the type webpush: no browser can be notified.", ["class": "empty"])
      return
    }
    for (place, channel) in channels.enumerated() { add(channel, at: place, to: &body) }
    SubscribeForm.addScript(to: &body)
  }

  private func add(_ channel: Channel, at place: Int, to body: inout HTML) {
    body.markup("<section class=\"card\">")
    body.element("h2", channel.names.joined(separator: ", "), ["dir": "auto"])
    if channel.subscriptions.isEmpty {
      body.paragraph("No browser has subscribed.", ["class": "empty"])
    } else {
      body.markup("<ul class=\"rings\">\n")
      for subscription in channel.subscriptions { add(subscription, of: channel, to: &body) }
      body.markup("</ul>\n")
    }
    if visitor.may(.answer) { SubscribeForm(channel: channel.names[0], browser: browser, place: place).add(to: &body) }
    if visitor.may(.admin) {
      body.form(
        action: "/sinks/\(FormFields.encoded(channel.names[0]))/test", button: "Send a test to all of them",
        style: "small", isWhole: true)
    }
    body.markup("</section>\n")
  }

  private func add(_ subscription: PushSubscription, of channel: Channel, to body: inout HTML) {
    let moment = time.moment(.floating)
    body.element("li", ["data-mark": subscription.mark]) { body in
      body.element("p") { body in
        body.element("strong", subscription.name, ["dir": "auto"])
        if let person = subscription.person { body.element("span", person, ["dir": "auto"]) }
        body.markup("<em hidden>this browser</em>")
      }
      body.element("p", ["class": "when"]) { body in
        let reached = subscription.reachedAt
        body.element("span", reached.map { "last reached about \(moment.short($0))" } ?? "not reached yet")
        body.element("span", "subscribed \(moment.short(subscription.madeAt))")
        if let test = channel.tests[subscription.name] { body.element("span", "test: \(test)", ["dir": "auto"]) }
      }
      guard visitor.may(.answer) else { return }
      body.form(
        action: "/notifications/test", button: "Test", style: "small",
        fields: ["sink": channel.names[0], "name": subscription.name], isWhole: true)
      body.form(
        action: "/notifications/end", button: "End", style: "small",
        fields: ["sink": channel.names[0], "name": subscription.name], isWhole: true)
    }
  }
}
