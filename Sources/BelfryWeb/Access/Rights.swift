import FoundationEssentials
import WebAccess

extension RouteRight {
  /// True if a grant may use routes that need this right.
  func permits(_ grant: Access.Grant) -> Bool {
    switch self {
    case .none: true
    case .scope(let scope): grant.scope.includes(scope)
    case .allLists(let scope): grant.scope.includes(scope) && grant.isForAllLists
    }
  }
}

extension Access {
  private static let freshTime = 600.0

  /// True if its person signed in at most ten minutes ago, which proves who they are.
  func isFresh(at now: Date) -> Bool {
    kind == .session && (0...Self.freshTime).contains(now.timeIntervalSince(madeAt))
  }

  /// The name whose changes the visitor may undo: the person's, whatever access they use; otherwise that of the token
  /// or session.
  ///
  /// An access to only some lists undoes only its own changes: the person may have changed other lists elsewhere.
  var author: String {
    guard grant.isForAllLists, let person = grant.person else {
      return "\(kind.rawValue) \(name) \(Int64(madeAt.timeIntervalSince1970))"
    }
    return "person \(person)"
  }

  /// True if it permits actions that need a scope.
  func may(_ scope: AccessScope) -> Bool { grant.scope.includes(scope) }
}

/// An access without the parts that its use changes.
struct Holder: Hashable, Sendable {
  private let name: String
  private let kind: Access.Kind
  private let grant: Access.Grant
  private let madeAt: Date

  init(_ access: Access) { (name, kind, grant, madeAt) = (access.name, access.kind, access.grant, access.madeAt) }
}

extension Access {
  /// Its name as its person knows it.
  var shownName: String { kind == .session ? label ?? "Browser" : label ?? name }
}
