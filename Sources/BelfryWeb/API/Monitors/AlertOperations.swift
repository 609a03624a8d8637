import BelfryEngine
import BelfryModel
import ItemEntry
import OrderedJSON

/// The operations that monitors call: an alert becomes an item.
struct AlertOperations: APIGroup {
  var operations: [APIOperation] {
    [
      APIOperation(
        "takeWebhook", "Takes Alertmanager's webhook, and replies with the items that are other than before", .post,
        "/alertmanager", .scope(.edit), query: Self.query, body: .object(.named("AlertmanagerMessage")),
        replies: .json(.array(of: .named("Item")))
      ) { request in
        var reader = AlertReader(lists: request.visitor.grant.lists)
        let alerts = reader.webhook(request.body)
        return try await take(alerts, reader.faults, request)
      },
      APIOperation(
        "takeAlerts", "Takes what Prometheus sends, and replies with the items that are other than before", .post,
        "/alerts", .scope(.edit), base: "/api/v2", query: Self.query, body: .array(of: .named("PrometheusAlert")),
        replies: .json(.array(of: .named("Item")))
      ) { request in
        var reader = AlertReader(lists: request.visitor.grant.lists)
        let alerts = reader.prometheus(request.elements)
        return try await take(alerts, reader.faults, request)
      },
    ]
  }

  private static let query = [
    APIOperation.Parameter(name: "list", words: "the list of new items; the default list without it", schema: .words),
    APIOperation.Parameter(name: "create", words: "true to make the list if it does not exist", schema: .flag),
    APIOperation.Parameter(name: "category", words: "the category of new items", schema: .words),
  ]

  private func take(_ alerts: [Alert], _ faults: [FieldFault], _ request: APIRequest) async throws -> APIReply {
    if let problem = Problem(faults) { throw problem }
    let (query, grant) = (request.query, request.visitor.grant)
    let createsMissing = try query.flag("create") ?? false
    let (list, category) = try await request.read { sight in
      let only = grant.lists.count == 1 ? try sight.lists().first?.name : nil
      let settings = request.services.calls.belfry.settings
      let list = settings.listChoice(query["list"] ?? only, createsMissing: createsMissing)
      return (list, try query["category"].map { try request.reader(sight.reading).category($0) })
    }
    let destination = AlertDestination(list: list, category: category) { grant.includes(list: $0) }
    return APIReply(
      try await request.change {
        try $0.check(list)
      } _: { belfry in
        let items = try belfry.take(alerts, to: destination)
        let hindsight = try belfry.hindsight()
        return .array(items.map { hindsight.json($0) })
      })
  }
}
