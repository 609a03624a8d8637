import BelfryModel

/// Which sinks get the reminders of some lists.
public struct Route: Hashable, Sendable {
  /// The lists that it is for; `nil` for any.
  public let lists: [ListPattern]?
  /// The categories that it is for; `nil` for any, and for reminders without one.
  public let categories: [String]?
  /// The sinks, by name; none where such reminders go nowhere.
  public let sinks: [String]
  /// Whether the routes after it are tried as well where it matches.
  public let continues: Bool

  /// A route.
  public init(lists: [ListPattern]? = nil, categories: [String]? = nil, sinks: [String], continues: Bool = false) {
    self.lists = lists
    self.categories = categories
    self.sinks = sinks
    self.continues = continues
  }

  /// Whether it is for the reminders of a list with this category.
  public func matches(list: String, category: String?) -> Bool {
    if let lists, !lists.contains(where: { $0.matches(list) }) { return false }
    guard let categories else { return true }
    return category.map(categories.contains) ?? false
  }

  /// Whether it is for every reminder.
  public var matchesEverything: Bool {
    categories == nil && (lists?.contains { $0.matchesEverything } ?? true)
  }
}

extension [Route] {
  /// The enabled sinks that get the reminders of a list, each once, in the order of the routes.
  ///
  /// The first route that matches decides, and those after it for as long as each says `continue: true`. Where none
  /// matches, every enabled sink does; where one matches whose sinks are all switched off, none.
  ///
  /// - Parameter enabled: the names of the sinks that are switched on, in the config's order.
  public func sinks(forList list: String, category: String?, enabled: [String]) -> [String] {
    let deciding = deciding(list: list, category: category)
    guard !deciding.isEmpty else { return enabled }
    var chosen: [String] = []
    for sink in deciding.flatMap({ self[$0].sinks }) where enabled.contains(sink) && !chosen.contains(sink) {
      chosen.append(sink)
    }
    return chosen
  }

  /// Which routes decide about the reminders of a list, by their places; none where none matches.
  public func deciding(list: String, category: String?) -> [Int] {
    var places: [Int] = []
    for (place, route) in enumerated() where route.matches(list: list, category: category) {
      places.append(place)
      if !route.continues { break }
    }
    return places
  }
}

/// A name of lists as a route has it: `*` stands for any characters, none among them, `?` for one; case does not count.
public struct ListPattern: Hashable, Sendable {
  /// The pattern as it was written.
  public let text: String
  private let characters: [Character]

  /// A pattern; every text is one.
  public init(_ text: String) {
    self.text = text
    characters = Array(Checklist.nameKey(text))
  }

  /// Whether a list's name fits.
  public func matches(_ name: String) -> Bool {
    let name = Array(Checklist.nameKey(name))
    var place = 0
    var next = 0
    // Where to go on when a guess was wrong: behind the last star, which then takes one character more.
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

  /// Whether every name fits.
  public var matchesEverything: Bool { characters.allSatisfy { $0 == "*" } && !characters.isEmpty }
}
