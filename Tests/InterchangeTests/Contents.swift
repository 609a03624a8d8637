import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import MemoryStore

@testable import Interchange

/// Imports and exports for tests. It is 09:00 in Zurich on 2026-11-21, the zone of floating items.
enum Contents {
  static let planner: Planner = {
    let zones = ZoneDatabase(environment: [:])
    return Planner(floatingZone: (try? zones.zone("Europe/Zurich")) ?? .utc, zones: zones)
  }()

  static let context = ImportContext(defaultListName: "Inbox", planner: planner, now: Sample.now)

  static func entries(_ text: String, _ format: ImportFormat? = nil, fileName: String? = nil) throws -> [ImportEntry] {
    try Importer.entries(in: text.utf8, format: format, fileName: fileName, context: context)
  }

  static func entries(_ bytes: [UInt8], _ format: ImportFormat?) throws -> [ImportEntry] {
    try Importer.entries(in: bytes, format: format, context: context)
  }

  /// Belfry over a new store in memory.
  static func belfry() -> Belfry {
    var settings = Settings()
    settings.timeZone = .named("Europe/Zurich")
    return Belfry(
      store: MemoryStore(), settings: settings, time: ManualTimeSource(), zones: ZoneDatabase(environment: [:]))
  }

  /// The export of a store.
  static func exported(_ belfry: Belfry, as format: ExportFormat, listID: Int64? = nil) throws -> String {
    var bytes: [UInt8] = []
    try belfry.read { reading in
      _ = try Exporter.export(reading, as: format, listID: listID) { bytes += $0 }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A new store with an imported text.
  static func imported(_ text: String, _ format: ImportFormat?) throws -> (belfry: Belfry, refused: [ImportRefusal]) {
    let belfry = belfry()
    var source = try Importer.open(ByteSource(text.utf8), format: format, context: context)
    var refused: [ImportRefusal] = []
    _ = try belfry.take(&source) { event in
      if case .refused(let refusal) = event { refused.append(refusal) }
    }
    return (belfry, refused)
  }

  /// Everything on all lists, list by list.
  static func listings(_ belfry: Belfry) throws -> [ItemListing] {
    try belfry.read { reading in
      var listings: [ItemListing] = []
      try reading.view.forEachItem(ItemQuery(checked: .any)) { listings.append($0) }
      return listings.sorted { ($0.item.listID, $0.item.position) < ($1.item.listID, $1.item.position) }
    }
  }
}

extension [ImportEntry] {
  /// The items, without their lists.
  var items: [ImportedItem] {
    compactMap { entry in
      if case .item(let item, _) = entry { item } else { nil }
    }
  }

  var lists: [String] {
    compactMap { entry in
      if case .item(_, let list) = entry { list } else { nil }
    }
  }

  /// The refusals, as `line 3: its reason`.
  var refusals: [String] {
    compactMap { entry in
      if case .refusal(let refusal) = entry { "\(refusal.place): \(refusal.reason)" } else { nil }
    }
  }

  var headings: [ImportedList] {
    compactMap { entry in
      if case .list(let list) = entry { list } else { nil }
    }
  }
}
