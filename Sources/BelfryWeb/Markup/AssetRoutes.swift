/// The routes of the stylesheet, the scripts, and the icons and the manifest of an installed page. The build embeds the
/// files of `Assets`.
struct AssetRoutes: RouteGroup {
  /// The styles of all pages.
  static let stylesheet = Asset(
    "style", "css", type: "text/css; charset=utf-8",
    short(
      PackageResources.common_css, PackageResources.answers_css, PackageResources.side_css,
      PackageResources.frame_css, PackageResources.rows_css, PackageResources.targets_css, PackageResources.lists_css,
      PackageResources.menu_css,
      PackageResources.forms_css, PackageResources.cards_css, PackageResources.views_css))
  /// The page script: one module, so that its parts see each other's definitions.
  static let script = Asset(
    "script", "js", type: scriptType,
    short(
      PackageResources.start_js, PackageResources.leaving_js, PackageResources.morphing_js, PackageResources.sending_js,
      PackageResources.marking_js,
      PackageResources.live_js, PackageResources.kept_js,
      PackageResources.offline_js, PackageResources.keys_js, PackageResources.moving_js,
      PackageResources.menus_js, PackageResources.badge_js, PackageResources.subscribed_js,
      replacing: ("POLICY", policy)))
  /// The script of forms that need a passkey, also for pages before sign-in.
  static let passkeys = Asset(
    "passkey", "js", type: scriptType, short(PackageResources.asking_js, PackageResources.passkey_js))
  /// The script of the form by which a browser subscribes to reminders.
  static let push = Asset(
    "push", "js", type: scriptType, short(PackageResources.asking_js, PackageResources.push_js))
  // At a fixed path, where browsers look for a new version.
  static let worker = Asset(
    path: "/worker.js", type: scriptType,
    short(PackageResources.worker_js, PackageResources.pushes_js, replacing: ("ICON", picture192.path)))
  static let icon = Asset("icon", "svg", type: "image/svg+xml", PackageResources.icon_svg)
  /// The icon for systems that do not support SVG, 192 pixels wide.
  static let picture192 = Asset(picture: "icon", PackageResources.icon_192_png)
  /// The icon again, 512 pixels wide.
  static let picture512 = Asset(picture: "icon", PackageResources.icon_512_png)
  /// The web application manifest, by which a browser installs the pages.
  static let manifest = Asset(
    "app", "webmanifest", type: "application/manifest+json",
    Array(
      """
      {"name":"Belfry","short_name":"Belfry","id":"/","start_url":"/","scope":"/","display":"standalone",
      "background_color":"#f4f2ec","theme_color":"#1c5a84",
      "icons":[{"src":"\(icon.path)","sizes":"any","type":"image/svg+xml","purpose":"any"},
      {"src":"\(picture192.path)","sizes":"192x192","type":"image/png"},
      {"src":"\(picture512.path)","sizes":"512x512","type":"image/png"}]}

      """.utf8))

  /// The Content-Security-Policy: pages load only files of this server.
  static let policy =
    "default-src 'none'; connect-src 'self'; font-src 'self'; form-action 'self'; frame-ancestors 'none'; "
    + "base-uri 'none'; img-src 'self'; manifest-src 'self'; script-src 'self'; style-src 'self'; worker-src 'self'"

  // Comments of whole lines and indentation are not served.
  private static func short(_ parts: [UInt8]..., replacing word: (String, with: String) = ("", "")) -> [UInt8] {
    var text = parts.map { String(decoding: $0, as: UTF8.self) }.joined()
    if !word.0.isEmpty { text = text.replacing(word.0, with: word.with) }
    let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
    return Array(lines.filter { !$0.hasPrefix("//") && !$0.hasPrefix("/*") }.map { "\($0)\n" }.joined().utf8)
  }

  private static let scriptType = "text/javascript; charset=utf-8"

  var routes: [WebRoute] {
    [
      Self.stylesheet, Self.script, Self.passkeys, Self.push, Self.worker, Self.icon, Self.picture192,
      Self.picture512, Self.manifest,
    ].map(\.route)
  }
}

extension HTML {
  /// The link in the head of a page to its icon, without which browsers request another one.
  mutating func icon() {
    markup("<link rel=\"icon\" type=\"image/svg+xml\" href=\"")
    add(AssetRoutes.icon.path)
    markup("\">\n")
  }

  /// The links in the head of a page that can be installed to its manifest, large icon and script.
  mutating func assets() {
    markup("<link rel=\"apple-touch-icon\" href=\"")
    add(AssetRoutes.picture192.path)
    markup("\">\n<link rel=\"manifest\" href=\"")
    add(AssetRoutes.manifest.path)
    markup("\">\n<script type=\"module\" src=\"")
    add(AssetRoutes.script.path)
    markup("\"></script>\n")
  }

  /// A form with a button, which sends the reply of an authenticator.
  ///
  /// - Parameters:
  ///   - options: the path of the options for the authenticator.
  ///   - fields: makes the fields before the button.
  mutating func passkeyForm(action: String, options: String, button: String, fields: (inout HTML) -> Void = { _ in }) {
    element(
      "form", ["method": "post", "action": action, "class": "passkey", "data-whole": "", "data-passkey": options]
    ) { form in
      fields(&form)
      form.element("button", button, ["class": "main"])
      form.markup(
        "<noscript><p class=\"hint\">A passkey needs scripts, which this browser does not run here.</p></noscript>")
    }
    markup("<script type=\"module\" src=\"")
    add(AssetRoutes.passkeys.path)
    markup("\"></script>\n")
  }
}
