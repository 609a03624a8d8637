import BelfryModel
import FoundationEssentials

/// The daemon's metrics, in the text format of Prometheus.
public struct Metrics: Hashable, Sendable {
  private var lines: [String] = []

  /// The metrics of a store.
  ///
  /// - Parameters:
  ///   - version: Belfry's version.
  ///   - now: the time of the daemon's last tick.
  package init(_ view: any StoreView, version: String, now: Date) throws {
    let counts = try view.counts()
    let overdue = try view.uncheckedCount(listID: nil, dueBefore: now)
    add("belfry_info", "Belfry's version.", [("version=\"\(version)\"", 1)])
    add(
      "belfry_last_tick_timestamp_seconds", "When the daemon last looked at what is due.",
      [("", Int(now.timeIntervalSince1970))])
    add("belfry_lists", "Lists.", [("", counts.lists)])
    add(
      "belfry_items", "Items, checked and unchecked.",
      [("checked=\"false\"", counts.unchecked), ("checked=\"true\"", counts.items - counts.unchecked)])
    add("belfry_items_overdue", "Unchecked items that were due before now.", [("", overdue)])
    add("belfry_reminders_scheduled", "Scheduled reminders.", [("", counts.scheduled)])
    add(
      "belfry_deliveries", "Deliveries by state, finished ones for as long as they are kept.",
      Delivery.State.allCases.map { ("state=\"\($0.name)\"", counts.deliveries[$0] ?? 0) })
  }

  /// The content of the metrics file.
  public var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func add(_ name: String, _ help: String, _ values: [(labels: String, value: Int)]) {
    lines += ["# HELP \(name) \(help)", "# TYPE \(name) gauge"]
    lines += values.map { $0.labels.isEmpty ? "\(name) \($0.value)" : "\(name){\($0.labels)} \($0.value)" }
  }
}
