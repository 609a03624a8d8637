/// A picture in one colour, next to words or in a button that has a name.
enum Icon: String, CaseIterable {
  case add, agenda, back, bell, list, menu, more, notes, `repeat`, search, settings, today

  /// The lines of the picture, on a field of 24 by 24.
  fileprivate var lines: StaticString {
    switch self {
    case .add: "M12 5v14M5 12h14"
    case .agenda: "M4 5.5h16v15H4zM4 10h16M8 3v4M16 3v4"
    case .back: "M15 5l-7 7 7 7"
    case .bell: "M18 8.5a6 6 0 0 0-12 0C6 15 3.5 17 3.5 17h17S18 15 18 8.5M10 20.5h4"
    case .list: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01"
    case .menu: "M4 7h16M4 12h16M4 17h16"
    case .more: "M6 12h.01M12 12h.01M18 12h.01"
    case .notes: "M5 6h14M5 12h14M5 18h8"
    case .repeat: "M17 3l3 3-3 3M4 11V9a3 3 0 0 1 3-3h13M7 21l-3-3 3-3M20 13v2a3 3 0 0 1-3 3H4"
    case .search: "M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM20.5 20.5l-5-5"
    case .settings: "M4 7h9M17 7h3M15 4.5v5M4 17h3M11 17h9M9 14.5v5"
    case .today:
      "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1 1M18 18l1 1M19 5l-1 1M6 18l-1 1"
    }
  }
}

extension HTML {
  /// A picture that screen readers ignore.
  mutating func icon(_ icon: Icon) {
    markup("<svg class=\"icon\" aria-hidden=\"true\"><use href=\"#icon-")
    add(icon.rawValue)
    markup("\"/></svg>")
  }

  /// The drawings to which the pictures of a page refer.
  mutating func icons() {
    markup("<svg class=\"icons\" aria-hidden=\"true\">")
    for icon in Icon.allCases {
      markup("<symbol id=\"icon-")
      add(icon.rawValue)
      markup("\" viewBox=\"0 0 24 24\"><path d=\"")
      markup(icon.lines)
      markup("\"/></symbol>")
    }
    markup("</svg>\n")
  }
}
