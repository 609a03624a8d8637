import BelfryModel
import CivilTime
import FoundationEssentials

/// From where things are shown: the zones, and the instant.
public protocol Viewpoint {
  /// The zones.
  var planner: Planner { get }
  /// The instant.
  var now: Date { get }
}

extension Viewpoint {
  /// The zone to show an item in; the floating zone where the system no longer knows the item's own.
  public func displayZone(_ zone: ItemZone) -> Zone { (try? planner.zone(zone)) ?? planner.floatingZone }
}

/// From where a change is told of that was just made.
public struct Hindsight: Viewpoint {
  /// The zones.
  public let planner: Planner
  /// The instant.
  public let now: Date
}

extension Belfry {
  /// From where a change is told of that was just made.
  ///
  /// A change that is made must not look like one that failed: where the store cannot be read any more, floating items
  /// are told of in the zone that the config names, or the machine's.
  ///
  /// - Throws: ``BelfryError`` `.badConfig` as ``configuredZone()``.
  public func hindsight() throws -> Hindsight {
    do {
      return try read { Hindsight(planner: $0.planner, now: $0.now) }
    } catch {
      return Hindsight(planner: try planner(plannedZone: nil), now: time.now)
    }
  }
}
