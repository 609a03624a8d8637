import ConfigKeys

/// An element of `routes`, with the positions of names that are checked once all sinks and categories are known.
struct RouteDraft: Sendable {
  private var lists: [String]?
  private(set) var categories: [Located<String>]?
  private(set) var sinks: [Located<String>] = []
  private(set) var continues = false

  static let configType = ConfigType<RouteDraft>.section { section in
    var route = RouteDraft()
    let lists = section.read(
      "lists", &route.lists, .list(of: .line),
      "The lists that it is for, with * and ? as in a shell, without regard to case; any where absent.")
    let categories = section.read(
      "categories", &route.categories, .list(of: .located(.line)),
      "The categories that it is for; any where absent.")
    let sinks = section.require(
      "sinks", .list(of: .located(.line)), "The sinks, by name; [] where such reminders go nowhere.")
    section.read(
      "continue", &route.continues, .boolean, "Whether the routes after it are tried as well where it matches.")
    // Invalid elements are left out of a list, so it may only seem empty.
    for case (let key, true?) in [(lists, route.lists?.isEmpty), (categories, route.categories?.isEmpty)]
    where !section.hasErrors {
      section.error("an empty list matches nothing; without it the route is for any", at: key.value)
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
