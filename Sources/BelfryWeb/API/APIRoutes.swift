import BelfryEngine
import BelfryModel
import Hummingbird
import ItemEntry
import OrderedJSON

/// The routes of the API, and the document that describes them.
struct APIRoutes: RouteGroup {
  let services: APIServices

  var operations: [APIOperation] {
    let groups: [any APIGroup] = [
      ListOperations(), ItemOperations(), ItemStepOperations(), ReminderOperations(), DeliveryOperations(),
      AnswerOperations(), SinkOperations(), TransferOperations(), UndoOperations(), AlertOperations(),
    ]
    return groups.flatMap(\.operations)
  }

  var routes: [WebRoute] {
    let document = Asset(
      path: "/api/openapi.json", type: "application/json", Array(OpenAPIDocument(operations).json.sent.utf8))
    return operations.map { operation in
      WebRoute(
        method: operation.method, path: operation.routePath, right: operation.right,
        followsFromStore: operation.isSteady
      ) { request, context in
        try await reply(operation, request, context)
      }
    } + [document.route]
  }

  private func reply(
    _ operation: APIOperation, _ request: Request, _ context: WebContext
  ) async throws -> Response {
    do {
      let request = try await APIRequest(request, context, to: operation, services)
      let reply = try await services.once.reply(to: request, operation.handle)
      return reply.response(to: request.head)
    } catch let error as BelfryError where error.kind == .usage {
      // Wrong usage of a command corresponds to a wrong query (400) or a wrong body (422).
      let status: HTTPResponse.Status = request.method == .get ? .badRequest : .unprocessableContent
      throw Problem(error, status: status)
    } catch let faults as ItemEntryFaults {
      throw Problem(faults)
    }
  }
}
