import BelfryModel
import FoundationEssentials

/// The tasks of a todo.txt file, one a line.
struct TodoTxtSource: ImportSource {
  private var lines: LineReader
  private let reader: TodoTxtReader

  init(_ bytes: ByteSource, context: ImportContext) {
    lines = LineReader(bytes)
    reader = TodoTxtReader(context: context)
  }

  mutating func next() throws -> ImportEntry? {
    while let line = try lines.next() {
      let place = "line \(line.number)"
      guard !line.isTooLong else {
        return .refusal(ImportRefusal(place: place, reason: "it has more than \(LineReader.usualLimit >> 20) MiB"))
      }
      guard let text = line.text else {
        return .refusal(ImportRefusal(place: place, reason: "it holds bytes that are not UTF-8"))
      }
      guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else { continue }
      do {
        return try reader.entry(text, place: place)
      } catch {
        return .refusal(ImportRefusal(place: place, reason: error.reason))
      }
    }
    return nil
  }
}
