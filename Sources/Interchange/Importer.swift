import BelfryCore
import FoundationEssentials

/// The readers of files from elsewhere. They take bytes and give values, so they cannot change a file.
public enum Importer {
  /// The largest file that is read as a whole: a property list of an app.
  static let wholeFileLimit = 1 << 30

  /// What a file holds, one entry after the other.
  ///
  /// - Parameters:
  ///   - format: the format that the file must have; `nil` to go by its content.
  ///   - fileName: what the file is called, which tells where the content does not.
  /// - Throws: `ImportError` when the file is none of ours, or cannot be read as a whole.
  public static func open(
    _ bytes: ByteSource, format: ImportFormat?, fileName: String? = nil, context: ImportContext
  ) throws -> any ImportSource {
    switch try format ?? FormatDetection.format(of: bytes, fileName: fileName) {
    case .belfry: return BelfrySource(bytes, context: context)
    case .calendar: return CalendarSource(bytes, context: context)
    case .todoTxt: return TodoTxtSource(bytes, context: context)
    case .taskwarrior: return TaskwarriorSource(bytes, context: context)
    case .checklists: return try appFile(bytes, .checklists, context)
    case .shoppingList: return try appFile(bytes, .shoppingList, context)
    case .todoItems: return try appFile(bytes, .todoItems, context)
    case nil: return try appFile(bytes, nil, context)
    }
  }

  private static func appFile(
    _ bytes: ByteSource, _ format: AppFileFormat?, _ context: ImportContext
  ) throws -> AppFileSource {
    let data = Data(try bytes.readAll(limit: wholeFileLimit))
    return AppFileSource(try AppFile.read(data, format: format, defaultListName: context.defaultListName))
  }

  /// Everything that a small file holds.
  ///
  /// - Throws: as ``open(_:format:fileName:context:)``.
  public static func entries(
    in bytes: some Sequence<UInt8>, format: ImportFormat? = nil, fileName: String? = nil, context: ImportContext
  ) throws -> [ImportEntry] {
    var source = try open(ByteSource(bytes), format: format, fileName: fileName, context: context)
    var entries: [ImportEntry] = []
    while let entry = try source.next() { entries.append(entry) }
    return entries
  }
}
