import BelfryEngine
import BelfryModel
import ItemEntry
import OrderedJSON

/// The operations that monitors call, which make items of alerts.
struct AlertOperations: APIGroup {
  var operations: [APIOperation] {
    [
      APIOperation(
        "takeWebhook", "Takes Alertmanager's webhook, and replies with the items that it changed", .post,
        "/alertmanager", .scope(.edit), query: Self.query, body: .object(.named("AlertmanagerMessage")),
        replies: .json(.array(of: .named("Item")))
      ) { request in
        var reader = AlertReader(lists: request.visitor.grant.lists)
        let alerts = reader.webhook(request.body)
        return try await take(alerts, reader.faults, request)
      },
      APIOperation(
        "takeAlerts", "Takes what Prometheus sends, and replies with the items that it changed", .post,
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

  // A batch with bad alerts gets the status 422, which Alertmanager and Prometheus log and count but do not retry at
  // once, since the bad alerts would fail again. With 200 the errors would go unnoticed.
  private func take(_ alerts: [Alert], _ faults: [FieldFault], _ request: APIRequest) async throws -> APIReply {
    let problem = Problem(faults)
    if let problem, alerts.isEmpty { throw problem }
    let (query, grant) = (request.query, request.visitor.grant)
    let createsMissing = try query.flag("create") ?? false
    let (list, category, placed) = try await request.read { sight in
      let only = grant.lists.count == 1 ? try sight.lists().first?.name : nil
      let settings = request.services.calls.belfry.settings
      let list = settings.listChoice(query["list"] ?? only, createsMissing: createsMissing)
      let reader = request.reader(sight.reading)
      let category = try query["category"].map { try reader.category($0) }
      return (list, category, alerts.map { $0.placed(sight, reader) })
    }
    let destination = AlertDestination(list: list, category: category) { grant.includes(list: $0) }
    return try await request.change {
      try $0.check(list)
    } _: { belfry in
      let items = try belfry.take(placed, to: destination)
      let hindsight = try belfry.hindsight()
      let changed = items.map { hindsight.json($0) }
      return problem.map { APIReply($0, besides: changed) } ?? APIReply(.array(changed))
    }
  }
}

extension Alert {
  /// The alert with the list and category that its labels name, if the visitor has such a list and the config such a
  /// category.
  ///
  /// A wrong name is noted in the item, since an alert that was refused for its label would notify no one.
  fileprivate func placed(_ sight: Sight, _ reader: EntryReader) -> Alert {
    var alert = self
    do {
      alert.list = try list.map { try sight.list(named: $0).name }
    } catch {
      alert.list = nil
      alert.note("\(AlertReader.listLabel) names no list")
    }
    do {
      alert.category = try category.map { try reader.category($0) }
    } catch {
      alert.category = nil
      alert.note("\(AlertReader.categoryLabel) names no category")
    }
    return alert
  }

  private mutating func note(_ fault: String) { notes = [notes, fault].compactMap(\.self).joined(separator: "\n") }
}
