import ConfigKeys
import MessageText
import Mustache
import OrderedJSON

/// The longest value, in bytes; a longer one is cut.
private let longestValue = 65_536

/// Named values in the form that the library reads.
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

/// A null value. It renders as nothing, and hides a value of the same name in an outer section.
private struct MustacheNull: MustacheCustomRenderable {
  var renderText: String { "" }
  var isNull: Bool { true }
}
