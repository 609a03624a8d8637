import BelfryModel
import CivilTime
import FoundationEssentials

/// The zones and the time with which records are shown.
public protocol Viewpoint {
  /// The planner, which knows the zones.
  var planner: Planner { get }
  var now: Date { get }
}

extension Viewpoint {
  /// The zone in which an item is shown: its own, or the floating zone if the system does not know that.
  public func displayZone(_ zone: ItemZone) -> Zone { planner.displayZone(zone) }
}

/// The viewpoint for reporting a change that was just made.
public struct Hindsight: Viewpoint, Sendable {
  /// The planner, which knows the zones.
  public let planner: Planner
  /// The instant of the change.
  public let now: Date
  /// The names of people, by number.
  public let people: [Int64: String]
}

extension Belfry {
  /// The viewpoint for reporting a change that was just made.
  ///
  /// A successful change must not be reported as a failure. So if the store can no longer be read, floating items are
  /// shown in the zone of the config, or the machine's, and people have no names.
  ///
  /// - Throws: ``BelfryError`` `.badConfig` as ``configuredZone()``.
  package func hindsight() throws -> Hindsight {
    do {
      return try read(asKnown: true) { try Hindsight(planner: $0.planner, now: $0.now, people: $0.view.personNames()) }
    } catch {
      return Hindsight(planner: try planner(plannedZone: nil), now: time.now, people: [:])
    }
  }
}
