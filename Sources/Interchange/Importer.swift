import BelfryModel
import FoundationEssentials

/// The readers of other programs' files. They turn bytes into values and cannot change a file.
package enum Importer {
  /// The entries of a file, read one at a time.
  ///
  /// - Parameters:
  ///   - format: the format that the file must have; `nil` to detect it from the content.
  ///   - fileName: the file's name, used if the content does not show the format.
  /// - Throws: `ImportError` when the format is unknown, or the file cannot be read as a whole.
  package static func open(
    _ bytes: ByteSource, format: ImportFormat?, fileName: String? = nil, context: ImportContext
  ) throws -> any ImportSource {
    switch try format ?? FormatDetection.format(of: bytes, fileName: fileName) {
    case .belfry: return BelfrySource(bytes, context: context)
    case .calendar: return CalendarSource(bytes, context: context)
    case .todoTxt: return TodoTxtSource(bytes, context: context)
    case .table: return BelfryTable(bytes, context: context)
    case .taskwarrior: return TaskwarriorSource(bytes, context: context)
    case .todoist: return TodoistSource(bytes, context: context)
    case .tickTick: return try TaskTableSource<TickTickTable>(bytes, context: context)
    case .outlook: return try TaskTableSource<OutlookTable>(bytes, context: context)
    case .googleTasks: return try GoogleTasksSource(bytes, context: context)
    case .propertyList: return ImportedEntries(try BelfryPlist(context: context).entries(bytes.readAll()))
    case .checklists, .shoppingList, .todoItems, nil:
      let data = Data(try bytes.readAll())
      if format == nil, BelfryPlist.isRecognised(data) {
        return ImportedEntries(try BelfryPlist(context: context).entries(Array(data)))
      }
      return ImportedEntries(try AppFile.read(data, format: format, defaultListName: context.defaultListName).entries)
    }
  }

  /// All entries of a small file.
  ///
  /// - Throws: as ``open(_:format:fileName:context:)``.
  package static func entries(
    in bytes: some Sequence<UInt8>, format: ImportFormat? = nil, fileName: String? = nil, context: ImportContext
  ) throws -> [ImportEntry] {
    var source = try open(ByteSource(bytes), format: format, fileName: fileName, context: context)
    var entries: [ImportEntry] = []
    while let entry = try source.next() { entries.append(entry) }
    return entries
  }
}
