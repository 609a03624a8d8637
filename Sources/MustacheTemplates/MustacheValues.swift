import ConfigKeys
import MessageText
import Mustache
import OrderedJSON

/// The most bytes that one value has; a longer one is cut.
private let longestValue = 65_536

/// Named values, as the library takes them.
struct MustacheObject: MustacheParent, MustacheCustomRenderable {
  let object: TemplateObject

  func child(named name: String) -> Any? { object[name]?.mustache }
  var renderText: String { "" }
  var isNull: Bool { false }
}

extension TemplateValue {
  fileprivate var mustache: Any {
    switch self {
    case .list(let name, let object): MustacheList(name: name, object: object)
    case .objects(let objects): objects.map(MustacheObject.init)
    case .json(.null): MustacheNull()
    case .json(.bool(let value)): value
    case .json(.integer(let value)): value
    case .json(.number(let value)): value
    case .json(.string(let text)): text.bounded(toBytes: longestValue)
    case .json(.array(let elements)): elements.map { TemplateValue.json($0).mustache }
    case .json(.object(let object)): MustacheObject(object: TemplateObject(object))
    }
  }
}

/// A list, which prints as its name.
private struct MustacheList: MustacheParent, MustacheCustomRenderable {
  let name: String
  let object: JSONObject?

  func child(named member: String) -> Any? {
    if let value = object?[member] { return TemplateValue.json(value).mustache }
    return member == "name" ? name : nil
  }

  var renderText: String { name.bounded(toBytes: longestValue) }
  var isNull: Bool { object == nil }
}

/// Nothing: it prints as nothing, and the search for its name ends here.
private struct MustacheNull: MustacheCustomRenderable {
  var renderText: String { "" }
  var isNull: Bool { true }
}
