import BelfryModel

/// A rule that sends the reminders of some lists and categories to some people and sinks.
public struct Route: Hashable, Sendable {
  /// The lists that match; `nil` for any.
  public let lists: [ListPattern]?
  /// The categories that match; `nil` for any, and for reminders without one.
  public let categories: [String]?
  /// The names of the people and sinks; empty to send such reminders nowhere.
  public let sinks: [String]
  /// True if later routes are tried too when this one matches.
  public let continues: Bool

  package init(lists: [ListPattern]? = nil, categories: [String]? = nil, sinks: [String], continues: Bool = false) {
    self.lists = lists
    self.categories = categories
    self.sinks = sinks
    self.continues = continues
  }

  /// True if the route matches the reminders of a list and category.
  func matches(list: String, category: String?) -> Bool {
    if let lists, !lists.contains(where: { $0.matches(list) }) { return false }
    guard let categories else { return true }
    return category.map(categories.contains) ?? false
  }

  /// True if the route matches every reminder.
  public var matchesEverything: Bool {
    categories == nil && (lists?.contains { $0.matchesEverything } ?? true)
  }
}

extension [Route] {
  /// The names of the people and sinks for the reminders of a list and category, each once, in the order of the routes;
  /// `nil` if no route matches.
  ///
  /// The first matching route decides, and further matching ones as long as each says `continue: true`.
  package func names(forList list: String, category: String?) -> [String]? {
    let deciding = deciding(list: list, category: category)
    guard !deciding.isEmpty else { return nil }
    var names: [String] = []
    for name in deciding.flatMap({ self[$0].sinks }) where !names.contains(name) { names.append(name) }
    return names
  }

  /// The indices of the routes that decide about the reminders of a list and category; empty if no route matches.
  package func deciding(list: String, category: String?) -> [Int] {
    var places: [Int] = []
    for (place, route) in enumerated() where route.matches(list: list, category: category) {
      places.append(place)
      if !route.continues { break }
    }
    return places
  }
}

/// A pattern of list names: `*` matches any number of characters, `?` exactly one; case is ignored.
public struct ListPattern: Hashable, Sendable {
  /// The pattern as written in the config.
  public let text: String
  private let characters: [Character]

  /// A pattern; any text is valid.
  package init(_ text: String) {
    self.text = text
    characters = Array(Checklist.nameKey(text))
  }

  /// True if a list's name matches.
  package func matches(_ name: String) -> Bool {
    let name = Array(Checklist.nameKey(name))
    var place = 0
    var next = 0
    // The place to backtrack to: after the last star, which then matches one more character.
    var retry: (next: Int, place: Int)?
    while place < name.count {
      if next < characters.count, characters[next] == "*" {
        retry = (next + 1, place)
        next += 1
      } else if next < characters.count, characters[next] == "?" || characters[next] == name[place] {
        next += 1
        place += 1
      } else if let last = retry {
        retry = (last.next, last.place + 1)
        (next, place) = (last.next, last.place + 1)
      } else {
        return false
      }
    }
    return characters[next...].allSatisfy { $0 == "*" }
  }

  /// True if every name matches.
  public var matchesEverything: Bool { characters.allSatisfy { $0 == "*" } && !characters.isEmpty }
}
