/// The route of the stylesheet.
struct StyleRoutes: RouteGroup {
  var routes: [WebRoute] { [Stylesheet.file.route] }
}

/// The looks of all pages.
enum Stylesheet {
  /// The file.
  static let file = Asset("style", "css", type: "text/css; charset=utf-8", common + answers + pages + views)

  // Text colours keep 7:1 to their ground, edges of controls 3:1 (WCAG 2.2, 1.4.3 and 1.4.11).
  private static let common = """
    :root {
      color-scheme: light dark;
      --ground: #f4f2ec; --card: #fffefb; --text: #1f1e1b; --quiet: #55524b; --line: #dcd8cd; --edge: #87837a;
      --accent: #1c5a84; --on-accent: #ffffff; --wash: #e6eff5; --danger: #9c1f14; --danger-wash: #fbeae7;
    }
    @media screen and (prefers-color-scheme: dark) {
      :root {
        --ground: #121418; --card: #1b1e24; --text: #eceae4; --quiet: #b9b6ae; --line: #343841; --edge: #7f8590;
        --accent: #8ec5f0; --on-accent: #0b1b28; --wash: #1c2d3a; --danger: #ffaa9e; --danger-wash: #371f1d;
      }
    }
    * { box-sizing: border-box; }
    html { font: 106.25%/1.5 system-ui, sans-serif; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
    body { margin: 0; background: var(--ground); color: var(--text); overflow-wrap: anywhere; }
    h1 { margin: 0 0 1rem; font-size: clamp(1.4rem, 1.1rem + 2vw, 2rem); line-height: 1.25;
      white-space: pre-line; text-wrap: balance; }
    h1.long { font-size: 1.1rem; line-height: 1.45; }
    h2 { margin: 0 0 .25rem; font-size: 1.05rem; line-height: 1.35; }
    p { margin: 0 0 1rem; }
    a { color: var(--accent); }
    code { font: .95em ui-monospace, monospace; }
    dl { margin: 0 0 1.5rem; }
    dl > div { display: grid; grid-template-columns: minmax(4.5rem, max-content) 1fr; gap: 0 1rem; padding: .4rem 0;
      border-top: 1px solid var(--line); }
    dt { color: var(--quiet); }
    dd { margin: 0; }
    @media (max-width: 22rem) { dl > div { grid-template-columns: 1fr; } }
    ul { margin: 0; padding: 0; }
    li { margin-inline-start: 1.1rem; }
    .notes { white-space: pre-wrap; unicode-bidi: plaintext; }
    .notice { margin: 0 0 1.5rem; padding: .9rem 1.1rem; background: var(--wash); border-inline-start: .3rem solid
      var(--accent); border-radius: .4rem; }
    .notice p:last-child, .notice form:last-child { margin-bottom: 0; }
    .notice p { margin-bottom: .5rem; }
    form { margin: 0; }
    button, .button { min-height: 2.75rem; padding: .5rem 1rem; font: inherit; font-weight: 600; line-height: 1.3;
      color: var(--accent); background: var(--card); border: 1px solid var(--edge); border-radius: .6rem;
      cursor: pointer; overflow-wrap: anywhere; }
    button.main { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
    .danger { color: var(--danger); border-color: var(--danger); }
    .danger:hover { background: var(--danger-wash); }
    button:hover { text-decoration: underline; }
    :focus-visible { outline: .2rem solid var(--accent); outline-offset: .2rem; }
    .danger:focus-visible { outline-color: var(--danger); }

    """
}
