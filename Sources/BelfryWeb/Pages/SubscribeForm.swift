import BelfryEngine

/// The form by which the visitor's browser subscribes to a channel.
struct SubscribeForm {
  /// The name of the channel's sink.
  let channel: String
  /// The name of the visitor's browser; `nil` if it is unknown.
  let browser: String?
  /// The number that distinguishes the fields of several forms; `nil` for a form of one button, which names the browser
  /// by itself.
  let place: Int?

  /// The script that asks the browser, which a page of such forms needs once.
  static func addScript(to body: inout HTML) {
    body.markup("<script type=\"module\" src=\"")
    body.add(AssetRoutes.push.path)
    body.markup("\"></script>\n")
  }

  func add(to body: inout HTML) {
    let key = "/notifications/key?sink=\(FormFields.encoded(channel))"
    body.element("form", ["method": "post", "action": "/notifications", "data-whole": "", "data-push": key]) { form in
      form.hidden("sink", channel)
      if let place {
        var label = Field("label", "The name of this browser", value: browser ?? "")
        label.id += "-\(place)"
        label.isRequired = true
        label.add(to: &form)
      } else {
        form.hidden("label", browser ?? "Browser")
      }
      form.element("button", "Ring in this browser", ["class": "main"])
      form.markup(
        "<noscript><p class=\"hint\">Notifications need scripts, which this browser does not run here.</p></noscript>")
    }
  }
}

extension WebSetup {
  /// The sinks to which browsers subscribe.
  var pushSinks: [(name: String, sink: any SubscribedSink)] {
    sinks.compactMap { active in (active.sink as? any SubscribedSink).map { (active.name, $0) } }
  }

  /// The names of those sinks by their file of subscriptions: sinks that share a file are one channel to people.
  var pushChannels: [(file: String, names: [String])] {
    Dictionary(grouping: pushSinks) { $0.sink.subscriptionFile }.map { (file: $0, names: $1.map(\.name)) }
      .sorted { $0.names[0] < $1.names[0] }
  }
}
