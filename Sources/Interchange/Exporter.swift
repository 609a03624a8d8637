import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import PlistRecords

/// The writers of files for other programs.
package enum Exporter {
  /// Exports a whole store, or one list of it, in a format, a piece at a time.
  ///
  /// - Parameters:
  ///   - reading: the state to write.
  ///   - listID: the only list to write; `nil` for all of them.
  ///   - defaultTime: the time of day that a date without a time stands for.
  ///   - progress: called before each item with the number of items written and their total; an error ends the export.
  ///   - write: called with each piece; an error ends the export.
  /// - Returns: the number of items and lists written.
  /// - Throws: ``BelfryError`` `.badInput` for a text that the format cannot hold.
  package static func export(
    _ reading: Reading, as format: ExportFormat, listID: Int64? = nil, defaultTime: TimeOfDay = Settings().defaultTime,
    progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }, write: ([UInt8]) throws -> Void
  ) throws -> (items: Int, lists: Int) {
    let lists = try reading.view.listSummaries(of: listID, now: reading.now)
    let total = lists.reduce(0) { $0 + $1.items }
    let context = ExportContext(
      planner: reading.planner, defaultTime: defaultTime, now: reading.now, counters: try reading.view.counters(),
      people: try reading.view.people())
    var writer = try writer(format, context, reading)
    var output: [UInt8] = []
    output.reserveCapacity(2 * pieceSize)
    func handOn() throws {
      try write(output)
      output.removeAll(keepingCapacity: true)
    }
    try writer.start(into: &output)
    for summary in lists { try writer.write(summary.list, into: &output) }
    var done = 0
    try reading.view.forEachItem(ItemQuery(listID: listID, checked: .any, order: .place)) { listing in
      try progress(done, total)
      try writer.write(listing, into: &output)
      done += 1
      if output.count >= pieceSize { try handOn() }
    }
    try writer.finish(into: &output)
    try handOn()
    return (done, lists.count)
  }

  private static let pieceSize = 1 << 16

  private static func writer(
    _ format: ExportFormat, _ context: ExportContext, _ reading: Reading
  ) throws -> any ExportWriter {
    switch format {
    case .belfry: BelfryWriter(context: context, snoozes: try reading.view.snoozes(), to: JSONRecordOutput())
    case .propertyList: BelfryWriter(context: context, snoozes: try reading.view.snoozes(), to: PlistRecordOutput())
    case .calendar: CalendarWriter(context: context, snoozes: try reading.view.snoozes())
    case .todoTxt: TodoTxtWriter(context: context)
    case .table: TableWriter { reading.json($0) }
    }
  }
}
