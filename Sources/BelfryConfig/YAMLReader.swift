import CivilTime
import ConfigKeys

/// Reads a YAML text into a ``ConfigNode``, with all its errors as YAML.
///
/// A config needs one document of plain sections, lists and scalars. Other features of YAML (anchors and aliases, tags,
/// directives, merge keys, keys other than text, several documents) are refused by name. Nothing is expanded, and size,
/// depth and the number of values are bounded, so no text takes long to read.
struct YAMLReader {
  /// The most bytes of a config.
  static let maximumBytes = 1 << 20
  private static let maximumDepth = 32
  private static let maximumNodes = 20_000

  private let events: YAMLEvents
  private var nodes = 0
  private var problems: [ConfigDiagnostic] = []

  /// Reads a text in UTF-8.
  ///
  /// - Returns: the content, `nil` for an empty text and `.invalid` if the text is not YAML, and the errors.
  static func read(_ bytes: [UInt8]) -> (root: ConfigNode?, problems: [ConfigDiagnostic]) {
    guard bytes.count <= maximumBytes else { return failure("the file is larger than 1 MiB", at: .start) }
    let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
    var reader = YAMLReader(YAMLEvents(bytes.dropFirst(bytes.starts(with: byteOrderMark) ? 3 : 0)))
    do throws(YAMLSyntaxError) {
      let root = try reader.document()
      return (root, reader.problems)
    } catch {
      let (root, last) = failure(error.message, at: error.position)
      return (root, reader.problems + last)
    }
  }

  private static func failure(
    _ message: String, at position: SourcePosition
  ) -> (root: ConfigNode?, problems: [ConfigDiagnostic]) {
    (ConfigNode(.invalid, at: position), [ConfigDiagnostic(.error, at: position, message)])
  }

  private init(_ events: YAMLEvents) { self.events = events }

  private mutating func document() throws(YAMLSyntaxError) -> ConfigNode? {
    let start = try events.next()
    guard case .documentStart(let hasDirectives) = start.kind else { return nil }
    if hasDirectives { report("directives (%) are not supported", at: start.position) }
    let root = try node(from: try events.next(), depth: 0)
    _ = try events.next()
    let next = try events.next()
    if case .documentStart = next.kind {
      throw YAMLSyntaxError(
        message: "a second YAML document starts here: a config must be only one", position: next.position)
    }
    return root
  }

  /// The node that starts with an event.
  ///
  /// - Parameter key: the position of the node's key.
  private mutating func node(
    from event: YAMLEvent, depth: Int, key: SourcePosition? = nil
  ) throws(YAMLSyntaxError) -> ConfigNode {
    nodes += 1
    guard nodes <= YAMLReader.maximumNodes else {
      throw YAMLSyntaxError(
        message: "the config has more than \(YAMLReader.maximumNodes) values", position: event.position)
    }
    guard depth <= YAMLReader.maximumDepth else {
      throw YAMLSyntaxError(
        message: "values are nested more than \(YAMLReader.maximumDepth) deep", position: event.position)
    }
    if event.hasAnchor { report("anchors (&) are not supported", at: event.position) }
    let content = try content(of: event, depth: depth)
    guard !event.hasTag else {
      report("tags (!) are not supported", at: event.position)
      return ConfigNode(.invalid, at: event.position)
    }
    return ConfigNode(content, at: event.isBlock ? key ?? event.position : event.position)
  }

  private mutating func content(of event: YAMLEvent, depth: Int) throws(YAMLSyntaxError) -> ConfigNode.Content {
    switch event.kind {
    case .scalar(let text, let isPlain):
      return isPlain ? PlainScalar.content(text) : .scalar(ConfigScalar(text))
    case .sequenceStart: return .sequence(try elements(depth: depth))
    case .mappingStart: return .mapping(try entries(depth: depth))
    case .alias:
      report("aliases (*) are not supported; put a value that starts with * in quotes", at: event.position)
    case .collectionEnd, .documentStart, .documentEnd, .streamEnd: break
    }
    return .invalid
  }

  private mutating func elements(depth: Int) throws(YAMLSyntaxError) -> [ConfigNode] {
    var elements: [ConfigNode] = []
    while true {
      let event = try events.next()
      if case .collectionEnd = event.kind { return elements }
      elements.append(try node(from: event, depth: depth + 1))
    }
  }

  private mutating func entries(depth: Int) throws(YAMLSyntaxError) -> [ConfigEntry] {
    var entries: [ConfigEntry] = []
    var seen: [String: SourcePosition] = [:]
    while true {
      let event = try events.next()
      if case .collectionEnd = event.kind { return entries }
      let key = try node(from: event, depth: depth + 1)
      let value = try node(from: try events.next(), depth: depth + 1, key: key.position)
      guard let name = name(key, isPlain: event.isPlain) else { continue }
      if let first = seen.updateValue(key.position, forKey: name) {
        seen[name] = first
        report("duplicate key \(inQuotes(name)), first given on line \(first.line)", at: key.position)
      } else {
        entries.append(ConfigEntry(name, at: key.position, value: value))
      }
    }
  }

  /// The text of a key; `nil` for any other key, which is reported.
  private mutating func name(_ key: ConfigNode, isPlain: Bool) -> String? {
    switch key.content {
    case .invalid: break
    case .scalar(let scalar) where scalar.text == "<<" && isPlain:
      report("merge keys (<<) are not supported", at: key.position)
    case .scalar(let scalar) where scalar.kind == .text: return scalar.text
    case .scalar(let scalar): report("a key must be text: put \(inQuotes(scalar.text)) in quotes", at: key.position)
    case .null: report("a key must not be empty", at: key.position)
    case .sequence, .mapping: report("a key must be text, not a list or section", at: key.position)
    }
    return nil
  }

  private mutating func report(_ message: String, at position: SourcePosition) {
    problems.append(ConfigDiagnostic(.error, at: position, message))
  }
}

extension YAMLEvent {
  /// True if it is a scalar without quotes.
  fileprivate var isPlain: Bool {
    if case .scalar(_, let isPlain) = kind { isPlain } else { false }
  }

  /// True if it starts a list or mapping in block style.
  fileprivate var isBlock: Bool {
    switch kind {
    case .sequenceStart(let isBlock), .mappingStart(let isBlock): isBlock
    default: false
    }
  }
}
