import BelfryModel
import FoundationEssentials
import PlistRecords
import PropertyLists

/// The lists and items of Belfry's own property list, XML or binary: the file of a plist store, or an export.
///
/// Reminders, messages and deliveries are skipped, since the importing store plans each item again.
struct BelfryPlist {
  private static let names = PlistNames.all[StoreHead.kind.number].names

  let context: ImportContext

  /// True for the property list of a store.
  static func isRecognised(_ data: Data) -> Bool {
    (try? PropertyList(parsing: data))?.dictionaryValue?[names[StoreHead.Field.format.rawValue]]
      == .string(StoreHead.format)
  }

  /// The entries of a file.
  ///
  /// - Throws: `ImportError` when the file as a whole cannot be read.
  func entries(_ file: [UInt8]) throws(ImportError) -> [ImportEntry] {
    let content: PropertyList
    do {
      content = try PropertyList(parsing: Data(file))
    } catch {
      let place = error.position.map { "line \($0.line), column \($0.column)" } ?? "byte \(error.offset)"
      throw ImportError(message: "\(place): \(error.message)")
    }
    try checkHead(content.dictionaryValue)
    let text = PropertyListFormat(of: file) == .xml ? file : try Self.xml(content)
    let entries = text.withUnsafeBytes { bytes in
      Result { () throws(FormFault) in try self.entries(PlistScanner(bytes)) }
    }
    switch entries {
    case .success(let entries): return entries
    case .failure(let fault):
      throw ImportError(message: "line \(Self.line(of: fault.offset, in: text[...])): \(fault.message)")
    }
  }

  private func checkHead(_ head: PropertyListDictionary?) throws(ImportError) {
    guard head?[Self.names[StoreHead.Field.format.rawValue]] == .string(StoreHead.format) else {
      throw ImportError(message: "is not an export of Belfry: its Format is not \(StoreHead.format)")
    }
    guard case .integer(let version)? = head?[Self.names[StoreHead.Field.version.rawValue]], version >= 1 else {
      throw ImportError(message: "has no Version that is a whole number of at least 1")
    }
    guard version <= StoreHead.version else {
      throw ImportError(
        message: "is of version \(version); this Belfry reads version \(StoreHead.version). Use a newer Belfry")
    }
  }

  private func entries(_ start: PlistScanner) throws(FormFault) -> [ImportEntry] {
    var (scanner, entries): (PlistScanner, [ImportEntry]) = (start, [])
    let records = BelfryRecords(context: context)
    try scanner.enterStore()
    while let index = try scanner.nextField(of: StoreHead.kind) {
      switch StoreHead.Field(rawValue: index) {
      case .lists: try read(&scanner, into: &entries, records.list)
      case .items: try read(&scanner, into: &entries, records.item)
      default: _ = try scanner.value()
      }
    }
    return entries
  }

  // A record's place for messages is its line.
  private func read<Root: Record>(
    _ scanner: inout PlistScanner, into entries: inout [ImportEntry],
    _ make: (Root, _ place: String) throws(EntryFault) -> ImportEntry
  ) throws(FormFault) {
    let reader = RecordReader(scanner, isStrict: false)
    var (raw, line, counted) = (RawRecord(Root.form.kind), 1, 0)
    try scanner.enterSection()
    while try scanner.nextRecord(&raw) {
      line += scanner.bytes[counted..<raw.range.lowerBound].count { $0 == 0x0A }
      counted = raw.range.lowerBound
      let place = "line \(line)"
      do throws(FormFault) {
        let record = try Root.form.read(raw, reader)
        do throws(EntryFault) {
          entries.append(try make(record, place))
        } catch {
          entries.append(.refusal(ImportRefusal(place: place, reason: error.reason)))
        }
      } catch {
        let its = error.field.isEmpty ? "" : "its \(error.field): "
        entries.append(.refusal(ImportRefusal(place: place, reason: its + error.message)))
      }
    }
  }

  private static func xml(_ content: PropertyList) throws(ImportError) -> [UInt8] {
    var text = Array(XMLPropertyList.prolog.utf8)
    do { try XMLPropertyList.append(content, to: &text) } catch { throw ImportError(message: error.message) }
    return text + "\n</plist>\n".utf8
  }

  private static func line(of offset: Int, in text: ArraySlice<UInt8>) -> Int {
    text.prefix(offset).count { $0 == 0x0A } + 1
  }
}
