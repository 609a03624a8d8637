import ByteOutput
import CivilTime
import OrderedJSON

/// The links in the body of a webhook for one reminder.
package struct ContentLinks {
  /// The page that shows the reminder.
  let answerURL: String
  /// One for each action; `nil` for an action that no token carries out.
  let tokens: [String?]

  /// The links of a content.
  package init(answerURL: String, tokens: [String?]) { (self.answerURL, self.tokens) = (answerURL, tokens) }
}

/// A content as a JSON object in UTF-8, with members in the order of the documented format.
struct EncodedContent: Sendable {
  let bytes: [UInt8]
  /// The offset after the fire date, at which a body has `late_seconds`.
  private let latenessOffset: Int
  /// The offset of the end of each action in the JSON, at which a webhook's body has its token.
  private let tokenOffsets: [Int]

  /// - Parameter actions: the content's actions, if they are encoded already.
  init(_ content: ReminderContent, actions: OfferedActions? = nil) {
    let output = JSONRecordOutput(capacity: 1_536)
    let form = ReminderContent.form
    let actions = actions ?? OfferedActions(content.actions)
    output.open(nil)
    // The output accepts every value of a content: instants are kept as texts.
    try? form.write(content, form.fields[...Self.fireDate], to: output)
    latenessOffset = output.count
    try? form.write(content, form.fields[(Self.fireDate + 1)..<Self.actions], to: output)
    let key = FieldKey(kind: form.kind.number, index: Self.actions, name: form.fields[Self.actions].name)
    output.write(key, encoded: actions.bytes)
    let start = output.count - actions.bytes.count
    tokenOffsets = actions.tokenOffsets.map { start + $0 }
    try? form.write(content, form.fields[(Self.actions + 1)...], to: output)
    output.close(content.unknown)
    bytes = output.bytes
  }

  private static let fireDate = ReminderContent.form.kind.index(of: "fire_date") ?? 0
  private static let actions = ReminderContent.form.kind.index(of: "actions") ?? 0

  /// Appends the content with the lateness of an attempt, and with links if it has any.
  func write(lateSeconds: Int, _ links: ContentLinks?, into output: inout [UInt8]) {
    output.append(contentsOf: bytes[..<latenessOffset])
    output.append(contentsOf: ",\"late_seconds\":\(lateSeconds)".utf8)
    var written = latenessOffset
    if let links {
      Self.append("answer_url", links.answerURL, to: &output)
      for (offset, token) in zip(tokenOffsets, links.tokens) {
        guard let token else { continue }
        output.append(contentsOf: bytes[written..<offset])
        Self.append("token", token, to: &output)
        written = offset
      }
    }
    output.append(contentsOf: bytes[written...])
  }

  private static func append(_ name: String, _ text: String, to output: inout [UInt8]) {
    output.append(contentsOf: ",\"\(name)\":".utf8)
    JSONValue.string(text).write(into: &output)
  }
}

extension ReminderContent {
  /// The content as a store keeps it: one JSON object in UTF-8.
  package var json: [UInt8] { encoded.bytes }
}

/// Codes the contents of a message.
struct ContentsCodec: FieldCodec {
  var shape: FieldShape { .record }

  func read(_ value: RawValue, _ field: Int, _ reader: RecordReader) throws(FormFault) -> [ReminderContent] {
    var contents: [ReminderContent] = []
    try reader.scanner.visitJSON(in: value, of: ReminderContent.form.kind, reader) { raw, reader throws(FormFault) in
      contents.append(try ReminderContent.form.read(raw, reader))
    }
    return contents
  }

  func write(_ value: [ReminderContent], _ key: FieldKey, _ output: any RecordOutput) throws {
    try output.write(key, json: value.count) { value[$0].json }
  }
}

extension [ReminderContent] {
  /// The contents of a JSON array.
  ///
  /// - Throws: the first fault, with its place.
  package init(json text: String) throws(FormFault) {
    var text = text
    let contents = text.withUTF8 { bytes in
      Result { () throws(FormFault) in
        var scanner = JSONScanner(UnsafeRawBufferPointer(bytes))
        let reader = RecordReader(scanner)
        var contents: [ReminderContent] = []
        try scanner.visitRecords(of: ReminderContent.form.kind) { raw throws(FormFault) in
          contents.append(try ReminderContent.form.read(raw, reader))
        }
        _ = try scanner.leaveStore()
        return contents
      }
    }
    self = try contents.get()
  }

  /// The contents as one JSON array.
  package var json: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(reduce(2) { $0 + $1.json.count + 1 })
    write(into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the contents as one JSON array.
  func write(into output: inout [UInt8]) {
    output.append(UInt8(ascii: "["))
    for index in indices {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      output.append(contentsOf: self[index].json)
    }
    output.append(UInt8(ascii: "]"))
  }
}

extension Message {
  /// Appends the JSON body of a webhook request, in UTF-8. The stdout sink prints the same with `format: json`.
  ///
  /// Its type is that of ``kind``, with a failure under `failure` and the state after an answer under `update`. With
  /// several reminders, the first is the `data` and all are in `reminders`.
  ///
  /// - Parameter links: the links of the content at an index; `nil` for none.
  package func writeBody(lateSeconds: Int, into output: inout [UInt8], links: (Int) -> ContentLinks?) {
    let contents = contents.map(\.forReceivers.encoded)
    output.reserveCapacity(output.count + contents.reduce(160) { $0 + $1.bytes.count + 32 })
    output.append(contentsOf: "{\"type\":\"\(kind.rawValue)\",\"timestamp\":\"".utf8)
    // The time of the event; the attempt's own time is sent in a header (Standard Webhooks 1.0.0).
    output.append(atMost: OffsetInstant.length) { OffsetInstant(createdAt, in: .utc).append(to: &$0) }
    output.append(contentsOf: "\",\"data\":".utf8)
    if let first = contents.first {
      first.write(lateSeconds: lateSeconds, links(0), into: &output)
    } else {
      output.append(contentsOf: "null".utf8)
    }
    if contents.count > 1 {
      for (index, content) in contents.enumerated() {
        output.append(contentsOf: (index == 0 ? ",\"reminders\":[" : ",").utf8)
        content.write(lateSeconds: lateSeconds, links(index), into: &output)
      }
      output.append(UInt8(ascii: "]"))
    }
    output.append(UInt8(ascii: "}"))
  }
}
