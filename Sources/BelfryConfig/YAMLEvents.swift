import ConfigKeys

internal import CYaml

/// One event of a YAML stream.
struct YAMLEvent {
  /// The kind of an event.
  enum Kind {
    /// A document starts, perhaps with directives before it.
    case documentStart(hasDirectives: Bool)
    case documentEnd
    /// A reference to another node.
    case alias
    /// A scalar, without quotes and escapes.
    case scalar(String, isPlain: Bool)
    case sequenceStart(isBlock: Bool)
    case mappingStart(isBlock: Bool)
    /// A list or mapping ends.
    case collectionEnd
    case streamEnd
  }

  /// The kind of an event.
  let kind: Kind
  /// The start of its text.
  let position: SourcePosition
  /// True if a node carries an anchor.
  let hasAnchor: Bool
  /// True if a node carries an explicit tag.
  let hasTag: Bool
}

/// The error of a text that is not YAML.
struct YAMLSyntaxError: Error {
  let message: String
  /// The place of the fault.
  let position: SourcePosition
}

/// Reads the events of a YAML text one by one.
final class YAMLEvents {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutableBufferPointer<UInt8>
  private let isReady: Bool

  /// The events of a text in UTF-8, without a byte order mark.
  init(_ bytes: some Collection<UInt8>) {
    input = UnsafeMutableBufferPointer.allocate(capacity: bytes.count)
    _ = input.initialize(from: bytes)
    // The parser points to itself and to its input, so neither may move.
    parser = UnsafeMutablePointer.allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    isReady = yaml_parser_initialize(parser) == 1
    guard isReady else { return }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, input.baseAddress, input.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    input.deallocate()
  }

  /// The next event, without the start of the stream.
  ///
  /// - Throws: an error if the text is not YAML; no event follows.
  func next() throws(YAMLSyntaxError) -> YAMLEvent {
    guard isReady else { throw YAMLSyntaxError(message: "out of memory", position: .start) }
    while true {
      var event = yaml_event_t()
      guard yaml_parser_parse(parser, &event) == 1 else { throw syntaxError() }
      defer { yaml_event_delete(&event) }
      if let event = YAMLEvents.translated(event) { return event }
    }
  }

  private static func translated(_ event: yaml_event_t) -> YAMLEvent? {
    let data = event.data
    let kind: YAMLEvent.Kind
    var hasAnchor = false
    var hasTag = false
    switch event.type {
    case YAML_STREAM_END_EVENT: kind = .streamEnd
    case YAML_DOCUMENT_START_EVENT:
      let directives = data.document_start.tag_directives
      kind = .documentStart(
        hasDirectives: data.document_start.version_directive != nil || directives.start != directives.end)
    case YAML_DOCUMENT_END_EVENT: kind = .documentEnd
    case YAML_ALIAS_EVENT: kind = .alias
    case YAML_SCALAR_EVENT:
      let bytes = UnsafeBufferPointer(start: data.scalar.value, count: data.scalar.length)
      kind = .scalar(String(decoding: bytes, as: UTF8.self), isPlain: data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
      (hasAnchor, hasTag) = (data.scalar.anchor != nil, data.scalar.tag != nil)
    case YAML_SEQUENCE_START_EVENT:
      kind = .sequenceStart(isBlock: data.sequence_start.style == YAML_BLOCK_SEQUENCE_STYLE)
      (hasAnchor, hasTag) = (data.sequence_start.anchor != nil, data.sequence_start.tag != nil)
    case YAML_MAPPING_START_EVENT:
      kind = .mappingStart(isBlock: data.mapping_start.style == YAML_BLOCK_MAPPING_STYLE)
      (hasAnchor, hasTag) = (data.mapping_start.anchor != nil, data.mapping_start.tag != nil)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: kind = .collectionEnd
    default: return nil
    }
    return YAMLEvent(
      kind: kind, position: SourcePosition(event.start_mark), hasAnchor: hasAnchor, hasTag: hasTag)
  }

  private func syntaxError() -> YAMLSyntaxError {
    let failed = parser.pointee
    let problem = failed.problem.map { String(cString: $0) } ?? "out of memory"
    guard failed.error != YAML_READER_ERROR else { return readerError(problem) }
    let position = SourcePosition(failed.problem_mark)
    if let message = clearerMessage(problem, index: failed.problem_mark.index) {
      return YAMLSyntaxError(message: message, position: position)
    }
    let context = failed.context.map { " \(String(cString: $0)) (from line \(failed.context_mark.line + 1))" } ?? ""
    return YAMLSyntaxError(message: "not valid YAML: \(problem)\(context)", position: position)
  }

  /// libyaml's error about invalid bytes, with a position from its offset in bytes.
  private func readerError(_ problem: String) -> YAMLSyntaxError {
    let offset = min(parser.pointee.problem_offset, input.count)
    var line = 1
    var lineStart = 0
    for index in 0..<offset where input[index] == UInt8(ascii: "\n") {
      line += 1
      lineStart = index + 1
    }
    let column = 1 + input[lineStart..<offset].count { $0 & 0xc0 != 0x80 }
    let isControl = problem.hasPrefix("control characters")
    return YAMLSyntaxError(
      message: isControl ? "a control character is not allowed here" : "not UTF-8 text: \(problem)",
      position: SourcePosition(line: line, column: column))
  }

  /// Clearer messages for the commonest mistakes: a tab in the indentation, and `@` or `` ` `` without quotes.
  private func clearerMessage(_ problem: String, index: Int) -> String? {
    guard problem.hasPrefix("found character that cannot start any token") else { return nil }
    switch String(decoding: input, as: UTF8.self).unicodeScalars.dropFirst(index).first {
    case "\t": return "not valid YAML: a tab cannot indent; use spaces"
    case let character?: return "not valid YAML: '\(character)' cannot start a value; put the value in quotes"
    case nil: return nil
    }
  }
}

extension SourcePosition {
  fileprivate init(_ mark: yaml_mark_t) { self.init(line: mark.line + 1, column: mark.column + 1) }
}
