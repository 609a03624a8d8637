import Hummingbird
import Synchronization

/// The routes in force, which a reload of the config replaces between two requests.
final class CurrentRoutes: Sendable {
  private let current: Mutex<RouterResponder<WebContext>>

  init(_ router: Router<WebContext>) { current = Mutex(router.buildResponder()) }

  /// The responder for the next request.
  var responder: RouterResponder<WebContext> { current.withLock { $0 } }

  /// Replaces the routes.
  func replace(by router: Router<WebContext>) {
    let responder = router.buildResponder()
    current.withLock { $0 = responder }
  }
}
