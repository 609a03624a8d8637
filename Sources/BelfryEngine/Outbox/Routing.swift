/// The sinks that the routes choose for each reminder. Cached, since many reminders of one claim share a list.
struct Routing {
  private struct Key: Hashable {
    let list: String
    let category: String?
  }

  private let routes: [Route]
  private let sinks: [ActiveSink]
  private var chosen: [Key: [ActiveSink]] = [:]

  init(_ routes: [Route], to sinks: [ActiveSink]) {
    self.routes = routes
    self.sinks = sinks
  }

  /// The sinks of a reminder, in the config's order.
  mutating func sinks(forList list: String, category: String?) -> [ActiveSink] {
    let key = Key(list: list, category: category)
    if let known = chosen[key] { return known }
    let names = routes.sinks(forList: list, category: category, enabled: sinks.map(\.name))
    let found = sinks.filter { names.contains($0.name) }
    chosen[key] = found
    return found
  }
}
