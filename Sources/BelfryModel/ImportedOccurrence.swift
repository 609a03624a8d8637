import CivilTime
import FoundationEssentials

/// One occurrence of a repeating item in a file from elsewhere that was changed there: moved, done or said otherwise.
public struct ImportedOccurrence: Hashable, Sendable {
  /// The identity of the repeating item.
  public var repeating: UUID
  /// When the occurrence would have been due.
  public var wall: WallTime
  /// The zone that `wall` is meant in; floating stands for that of the repeating item.
  public var zone: ItemZone
  /// Whether only the day of `wall` counts.
  public var isDay: Bool
  /// What it is instead.
  public var item: ImportedItem

  /// An occurrence with all its fields.
  public init(of repeating: UUID, at wall: WallTime, zone: ItemZone, isDay: Bool, item: ImportedItem) {
    self.repeating = repeating
    self.wall = wall
    self.zone = zone
    self.isDay = isDay
    self.item = item
  }
}
