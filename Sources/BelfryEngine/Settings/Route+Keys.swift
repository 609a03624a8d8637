import ConfigKeys

/// An element of `routes`, with the positions of names that are checked once all sinks, people and categories are
/// known.
struct RouteDraft: Sendable {
  private var lists: [String]?
  private(set) var categories: [Located<String>]?
  private(set) var sinks: [Located<String>] = []
  private(set) var continues = false

  static let configType = ConfigType<RouteDraft>.section { section in
    var route = RouteDraft()
    let lists = section.read(
      "lists", &route.lists, .list(of: .line),
      "The lists that it matches, with the wildcards * and ?, ignoring case; all by default.")
    let categories = section.read(
      "categories", &route.categories, .list(of: .located(.line)),
      "The categories that it matches; all by default.")
    let sinks = section.require(
      "sinks", .list(of: .located(.line)), "The names of the sinks and people; [] to send nothing.")
    section.read(
      "continue", &route.continues, .boolean, "Whether the routes after it are tried too if it matches.")
    // Invalid elements are left out of a list, so it may only seem empty.
    for case (let key, true?) in [(lists, route.lists?.isEmpty), (categories, route.categories?.isEmpty)]
    where !section.hasErrors {
      section.error("an empty list matches nothing: leave the key out to match all", at: key.value)
    }
    guard let sinks else { return nil }
    route.sinks = sinks
    return route
  }

  var route: Route {
    Route(
      lists: lists?.map(ListPattern.init), categories: categories?.map(\.value), sinks: sinks.map(\.value),
      continues: continues)
  }
}
