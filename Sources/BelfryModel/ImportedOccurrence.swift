import CivilTime
import FoundationEssentials

/// A changed occurrence of an imported repeating item: moved, checked or edited.
public struct ImportedOccurrence: Hashable, Sendable {
  /// The UUID of the repeating item.
  public var repeating: UUID
  /// The original due time of the occurrence.
  public var wall: WallTime
  /// The zone of `wall`; floating for the zone of the repeating item.
  public var zone: ItemZone
  /// True if only the day of `wall` counts.
  public var isDay: Bool
  /// True if all later occurrences change with it (RANGE=THISANDFUTURE, RFC 5545, section 3.2.13).
  package var isAndLater = false
  /// The item that replaces the occurrence.
  public var item: ImportedItem

  /// An occurrence with all its fields.
  package init(of repeating: UUID, at wall: WallTime, zone: ItemZone, isDay: Bool, item: ImportedItem) {
    self.repeating = repeating
    self.wall = wall
    self.zone = zone
    self.isDay = isDay
    self.item = item
  }
}
