import CivilTime
import ConfigKeys

/// Checks `routes` and `sinks` against each other.
struct RouteCheck {
  let section: ConfigSection
  let contents: ConfigContents
  let names: DefinedNames

  /// Reports unknown names, unreachable routes, circles of `on_failure`, and reminders without a sink.
  func run(_ report: inout ConfigReport) {
    let routes = contents.routes
    names.recipients?.check(routes.flatMap(\.value.sinks), &report)
    checkFailures(contents.sinks ?? [], &report)
    checkCategories(routes.map(\.value), &report)
    // After an error, values of the file may be missing here, and warnings would be wrong.
    if let sinks = contents.sinks, !report.hasErrors { checkCoverage(routes, sinks, &report) }
  }

  private func checkFailures(_ sinks: [SinkDraft], _ report: inout ConfigReport) {
    names.sinks?.check(sinks.compactMap(\.onFailure), &report)
    let targets = Dictionary(sinks.map { ($0.name, $0.onFailure?.value) }) { first, _ in first }
    for sink in sinks {
      guard let target = sink.onFailure else { continue }
      // A chain longer than the number of sinks has a circle.
      var followers = [target.value]
      while followers.count <= sinks.count, let next = followers.last.flatMap({ targets[$0] ?? nil }) {
        followers.append(next)
      }
      guard followers.contains(sink.name) else { continue }
      let path = ([sink.name] + followers.prefix { $0 != sink.name } + [sink.name]).joined(separator: " → ")
      report.error("'on_failure' forms a circle: \(path)", at: target.position)
    }
  }

  private func checkCategories(_ routes: [RouteDraft], _ report: inout ConfigReport) {
    let defined = (section.names(under: contents.categoriesKey.name) ?? []).map(\.value)
    let known = Set(defined)
    for category in routes.flatMap({ $0.categories ?? [] }) where !known.contains(category.value) {
      let suggestion = Suggestion.text(for: category.value, among: defined)
      report.warning("no category is called \(inQuotes(category.value))\(suggestion)", at: category.position)
    }
  }

  private func checkCoverage(
    _ routes: [Located<RouteDraft>], _ sinks: [SinkDraft], _ report: inout ConfigReport
  ) {
    if !sinks.contains(where: \.isEnabled) {
      report.warning(
        "no sink is switched on: no reminder goes anywhere", at: contents.sinksKey.key)
    }
    if !routes.isEmpty, !routes.contains(where: { $0.value.route.matchesEverything }) {
      report.warning(
        "reminders that match no route go to every enabled sink; to change that, add a last route with 'sinks' alone",
        at: contents.routesKey.key)
    }
    let last = routes.firstIndex { $0.value.route.matchesEverything && !$0.value.continues }
    if let last, let unreached = routes[(last + 1)...].first {
      report.warning("no reminder reaches this route: one before it matches all", at: unreached.position)
    }
  }
}
