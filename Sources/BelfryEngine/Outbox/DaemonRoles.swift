import BelfryModel
import FoundationEssentials

extension DaemonOffer {
  /// The offer of a daemon with this config.
  init(of settings: Settings, sinks: [ActiveSink]) {
    let able = sinks.filter(\.isHere)
    let signed = able.filter { $0.links != nil }
    self.init(
      sinks: Set(able.map(\.name)), signed: Set(signed.map(\.name)), config: settings.decisions,
      keys: signed.first?.links?.fingerprint ?? "")
  }
}

extension Settings {
  // A digest of the settings that decide when a reminder rings and where it goes.
  fileprivate var decisions: String {
    let text = "\(timeZone) \(missed) \(routes) \(categories) \(actions) \(people) \(escalations) \(lists)"
    return UUID(namespace: .belfry, name: text).text
  }
}

extension DaemonPart {
  /// The sinks that it has under a different lease than before, or did not have then.
  func gained(since had: [String: Int64]) -> Set<String> {
    Set((sinks ?? [:]).filter { had[$0.key] != $0.value }.keys)
  }

  /// The log events for the changes since an earlier role; none if only one daemon uses the store.
  func news(since old: DaemonPart) -> [Event] {
    guard sinks != nil else { return [] }
    var news: [String] = []
    if leads != old.leads { news.append(leads ? "is the leader now" : "is no longer the leader") }
    let (had, has) = (Set(old.sinks?.keys.map(\.self) ?? []), Set(sinks?.keys.map(\.self) ?? []))
    if had != has { news.append("delivers through \(has.isEmpty ? "no sink" : has.sorted().joined(separator: ", "))") }
    return news.map { Event(.info, "this belfryd \($0)") }
  }
}
