import ConfigKeys

/// An element of `routes`, with the positions of names that are checked once all sinks and categories are known.
struct RouteDraft: Sendable {
  let lists: [String]?
  let categories: [Located<String>]?
  let sinks: [Located<String>]
  let continues: Bool

  private static let listsKey = ConfigKey(
    "lists", optional: .list(of: .line),
    "The lists that it is for, with * and ? as in a shell, without regard to case; any where absent.")
  private static let categoriesKey = ConfigKey(
    "categories", optional: .list(of: .located(.line)),
    "The categories that it is for; any where absent.")
  private static let sinksKey = RequiredConfigKey(
    "sinks", .list(of: .located(.line)), "The sinks, by name; [] where such reminders go nowhere.")
  private static let continueKey = ConfigKey(
    "continue", .boolean, default: false, "Whether the routes after it are tried as well where it matches.")

  static let configType = ConfigType<RouteDraft>.section([listsKey, categoriesKey, sinksKey, continueKey]) { section in
    let isEmpty = [
      listsKey.name: section.value(listsKey)?.isEmpty, categoriesKey.name: section.value(categoriesKey)?.isEmpty,
    ]
    // Invalid elements are left out of a list, so it may only seem empty.
    for case (let name, true?) in isEmpty where !section.hasErrors {
      section.error("an empty list matches nothing; without it the route is for any", at: section.position(of: name))
    }
    guard let sinks = section.value(sinksKey) else { return nil }
    return RouteDraft(
      lists: section.value(listsKey), categories: section.value(categoriesKey), sinks: sinks,
      continues: section.value(continueKey))
  }

  var route: Route {
    Route(
      lists: lists?.map(ListPattern.init), categories: categories?.map(\.value), sinks: sinks.map(\.value),
      continues: continues)
  }
}
