import BelfryEngine
import Hummingbird
import SystemThreads
import WebAccess

/// The page of the config.
struct ConfigRoutes: RouteGroup {
  let calls: StoreCalls
  let setup: WebSetup
  /// The thread on which `belfry doctor` is run.
  let doctor: TaskThread

  var routes: [WebRoute] {
    [WebRoute(method: .get, path: "/config", right: .allLists(.admin)) { try await show($0, $1) }]
  }

  private func show(_ request: Request, _ context: WebContext) async throws -> Response {
    let page = ConfigPage(
      name: setup.name, lines: setup.configuration?.effectiveLines ?? [], warnings: setup.warnings,
      doctor: await DoctorRun.run(setup, on: doctor))
    var shell = try await calls.shell(request, try context.signedIn())
    shell.back = .settings
    return shell.response("Config", to: request) { page.add(to: &$0) }
  }
}
