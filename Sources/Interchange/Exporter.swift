import BelfryCore
import Foundation

/// The writers of files for other programs.
public enum Exporter {
  /// Hands on a whole store, or one list of it, in a format, a piece at a time.
  ///
  /// - Parameters:
  ///   - reading: the state to write, which `write` may keep waiting.
  ///   - listID: the only list to write; `nil` for all of them.
  ///   - defaultTime: what a date without a time means.
  ///   - progress: is told before each item how many of how many are written; what it throws ends the export.
  ///   - write: takes a piece; what it throws ends the export.
  /// - Returns: how many items and lists were written.
  /// - Throws: ``BelfryError`` `.badInput` for a text that the format cannot hold.
  public static func export(
    _ reading: Reading, as format: ExportFormat, listID: Int64? = nil, defaultTime: TimeOfDay = Settings().defaultTime,
    progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }, write: ([UInt8]) throws -> Void
  ) throws -> (items: Int, lists: Int) {
    let content = try ExportContent(reading.view, listID: listID)
    let context = ExportContext(
      planner: reading.planner, defaultTime: defaultTime, now: reading.now, counters: content.counters)
    var writer = writer(format, context, reading)
    var output: [UInt8] = []
    output.reserveCapacity(2 * pieceSize)
    func handOn() throws {
      try write(output)
      output.removeAll(keepingCapacity: true)
    }
    try writer.start(into: &output)
    for list in content.lists { try writer.write(list, into: &output) }
    for (done, id) in content.items.enumerated() {
      try progress(done, content.items.count)
      guard let listing = try reading.view.item(id: id) else { continue }
      try writer.write(listing, into: &output)
      if output.count >= pieceSize { try handOn() }
    }
    try writer.finish(into: &output)
    try handOn()
    return (content.items.count, content.lists.count)
  }

  private static let pieceSize = 1 << 16

  private static func writer(
    _ format: ExportFormat, _ context: ExportContext, _ reading: Reading
  ) -> any ExportWriter {
    switch format {
    case .belfry: BelfryWriter(context: context)
    case .calendar: CalendarWriter(context: context)
    case .todoTxt: TodoTxtWriter(context: context)
    case .table: TableWriter { reading.json($0) }
    }
  }
}

/// What there is to export: the lists, and where their items stand.
private struct ExportContent {
  let counters: StoreCounters
  let lists: [Checklist]
  /// The items' numbers, list by list, in list order.
  let items: [Int64]

  init(_ view: any StoreView, listID: Int64?) throws {
    var counters = StoreCounters()
    let lists = try view.lists().filter { listID == nil || $0.id == listID }
    let ranks = Dictionary(uniqueKeysWithValues: lists.enumerated().map { ($1.id, $0) })
    var places: [(rank: Int, position: Int64, id: Int64)] = []
    do {
      try view.visitRecords { record in
        switch record {
        case .counters(let present): counters = present
        case .list: break
        case .item(let item):
          if let rank = ranks[item.listID] { places.append((rank, item.position, item.id)) }
        // What was sent and what is scheduled is no one else's business.
        case .reminder, .message, .delivery: throw Done()
        }
      }
    } catch is Done {}
    places.sort { ($0.rank, $0.position, $0.id) < ($1.rank, $1.position, $1.id) }
    items = places.map(\.id)
    self.lists = lists
    self.counters = counters
  }

  private struct Done: Error {}
}
