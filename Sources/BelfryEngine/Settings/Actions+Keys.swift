import CivilTime
import ConfigKeys

extension ConfigType where Value == [CategoryAction] {
  /// Actions that are offered together: at most four, each identifier once.
  static let actions = ConfigType(shape: .list(CategoryAction.configType.shape)) { node, report in
    let type = ConfigType<[Located<CategoryAction>]>.list(of: .located(CategoryAction.configType))
    guard let actions = type.decode(node, &report) else { return nil }
    // Invalid actions are missing from the list, so the rest cannot be counted.
    guard case .sequence(let nodes) = node.content, nodes.count == actions.count else { return nil }
    var seen: Set<String> = []
    for action in actions where !seen.insert(action.value.identifier).inserted {
      report.error("a second action with the identifier \(inQuotes(action.value.identifier))", at: action.position)
    }
    if let surplus = actions.dropFirst(Category.maximumActions).first {
      report.error("at most \(Category.maximumActions) actions are offered, not \(actions.count)", at: surplus.position)
    }
    return actions.map(\.value)
  }
}
