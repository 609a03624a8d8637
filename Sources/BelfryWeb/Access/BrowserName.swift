import HTTPTypes

/// The name of a browser as its person knows it, from the field User-Agent: `Firefox on Android`.
enum BrowserName {
  // Most browsers also name others, so that sites serve them. The first name found counts.
  private static let browsers = [
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"),
  ]
  private static let systems = [
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"), ("Linux", "Linux"),
  ]

  /// The name of the browser that sent a request; `nil` if it is unknown.
  static func name(_ head: HTTPRequest) -> String? { head.headerFields[.userAgent].flatMap(name) }

  /// The name of a browser; `nil` if it is unknown.
  static func name(_ agent: String) -> String? {
    guard let browser = browsers.first(where: { agent.contains($0.0) })?.1 else { return nil }
    return systems.first { agent.contains($0.0) }.map { "\(browser) on \($0.1)" } ?? browser
  }
}
