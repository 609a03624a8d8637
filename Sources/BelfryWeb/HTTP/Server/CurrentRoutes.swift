import Hummingbird
import Synchronization

/// The routes in force, which a reload of the config replaces between two requests.
final class CurrentRoutes: Sendable {
  private let current: Mutex<RouterResponder<WebContext>>

  init(_ router: Router<WebContext>) { current = Mutex(Self.responder(of: router)) }

  /// The responder for the next request.
  var responder: RouterResponder<WebContext> { current.withLock { $0 } }

  func replace(by router: Router<WebContext>) {
    let responder = Self.responder(of: router)
    current.withLock { $0 = responder }
  }

  private static func responder(of router: Router<WebContext>) -> RouterResponder<WebContext> {
    // Added after all routes, so that it replies only if none of them does.
    router.add(middleware: PathMethods(of: router.routes))
    return router.buildResponder()
  }
}
