import BelfryEngine
import BelfryModel
import BelfryRuntime
import FoundationEssentials
import Hummingbird
import WebAccess

/// The page of sinks, and their tests.
struct SinkRoutes: RouteGroup {
  let calls: StoreCalls
  let setup: WebSetup
  let turn: SinkTestTurn

  var routes: [WebRoute] {
    [
      WebRoute(method: .get, path: "/sinks", right: .allLists(.read)) { try await show($0, $1) },
      WebRoute(method: .get, path: "/sinks/:name/test", right: .allLists(.admin)) { try await result($0, $1) },
      WebRoute(method: .post, path: "/sinks/:name/test", right: .allLists(.admin)) { try await test($0, $1) },
    ]
  }

  private func show(_ request: Request, _ context: WebContext) async throws -> Response {
    let visitor = try context.signedIn()
    var (page, shell) = try await calls.wholePage(request, visitor) { try self.page($0, visitor) }
    shell.back = .settings
    return shell.response("Channels", to: request) { page.add(to: &$0) }
  }

  private func page(_ sight: Sight, _ visitor: Access) throws -> SinksPage {
    let view = sight.reading.view
    var queues: [String: SinksPage.Queue] = [:]
    try view.forEachDelivery(state: .pending, limit: nil) { delivery, _ in
      var queue = queues[delivery.sink] ?? SinksPage.Queue()
      queue.pending += 1
      queue.next = [queue.next, delivery.nextAttemptAt].compactMap(\.self).min()
      queues[delivery.sink] = queue
    }
    return SinksPage(
      sinks: SinkState.all(setup.sections, setup.sinks, try view.sinkProblems(), try view.inboxes()),
      queues: queues, time: PageTime(sight.reading), scope: visitor.grant.scope)
  }

  // Redirects to another page, which can be reloaded without another test.
  private func test(_ request: Request, _ context: WebContext) async throws -> Response {
    let name = try context.sinkName()
    turn.keep(try await SinkTestRun.run(name, setup, turn), of: name)
    return .leading(to: "/sinks/\(FormFields.encoded(name))/test")
  }

  private func result(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, name) = (try context.signedIn(), try context.sinkName())
    guard let run = turn.last(of: name) else {
      throw Problem(
        .notFound, "there is no test of a sink '\(name)' since belfry-web started", hint: "/sinks has a button for it")
    }
    let page = SinkTestPage(name: name, run: run)
    var shell = try await calls.shell(request, visitor)
    shell.back = Shell.Place(name: "Channels", path: "/sinks")
    return shell.response("Test of \(name)", to: request) { page.add(to: &$0) }
  }
}

extension WebContext {
  fileprivate func sinkName() throws -> String {
    guard let name = RequestTarget.decoded(try parameters.require("name")[...]) else {
      throw Problem(.notFound, "there is nothing at this path")
    }
    return name
  }
}
