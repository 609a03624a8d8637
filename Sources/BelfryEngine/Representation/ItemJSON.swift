import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON

/// An item as JSON shows it at a time, in a zone.
struct ShownItem {
  let listing: ItemListing
  let zone: Zone
  let now: Date

  init(_ listing: ItemListing, _ viewpoint: any Viewpoint) {
    (self.listing, zone, now) = (listing, viewpoint.displayZone(listing.item.zone), viewpoint.now)
  }

  fileprivate var json: JSONValue {
    let record = ItemRecord(listing.item, list: listing.listName, nextFireDate: listing.nextFireDate, now: now)
    return ShownRecord.json(record, in: zone)
  }
}

extension ShownType<ShownItem> {
  /// Items, whose members are the fields of their record.
  static var item: ShownType { ShownType(.named("Item")) { $0.json } }
}

extension Viewpoint {
  /// An item as in `--json` and webhooks.
  public func json(_ listing: ItemListing) -> JSONValue { ShownItem(listing, self).json }
}

extension Reading {
  private static let pieceLength = 65_536

  /// Writes items as one array, as in `--json`, in pieces, since the array of a large import is large.
  package func writeJSON(ofItems ids: [Int64], to write: (String) throws -> Void) throws {
    var text = "["
    var isFirst = true
    for id in ids {
      guard let listing = try view.item(id: id) else { continue }
      if !isFirst { text += "," }
      isFirst = false
      text += json(listing).serialized()
      guard text.utf8.count > Self.pieceLength else { continue }
      try write(text)
      text = ""
    }
    try write(text + "]\n")
  }
}
