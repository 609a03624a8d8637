import BelfryEngine
import BelfryModel
import OrderedJSON
import WebAccess

/// The operations that do one thing to an item, or explain it.
struct ItemStepOperations: APIGroup {
  private static let item = JSONSchema.named("Item")

  var operations: [APIOperation] {
    [
      step("checkItem", "Checks an item; a repeating one moves on", "check", .answer) { _, belfry, id in
        try belfry.setChecked(true, [id])
      },
      step("uncheckItem", "Unchecks an item", "uncheck", .answer) { _, belfry, id in
        try belfry.setChecked(false, [id])
      },
      step(
        "snoozeItem", "Rings an item again later, after 10 minutes by default", "snooze", .answer,
        .object(.named("Snooze"), isRequired: false)
      ) { request, belfry, id in [try belfry.snooze(id, until: try belfry.read { try request.snoozeEnd(of: id, $0) })]
      },
      APIOperation(
        "moveItem", "Moves an item on its list", .post, "/items/{id}/move", .scope(.edit),
        body: .object(.named("ItemMove")), replies: .json(Self.item)
      ) { try await move($0) },
      APIOperation(
        "explainItem", "Why an item rings or does not, with every attempt", .get, "/items/{id}/explain", .scope(.read),
        query: [APIOperation.now], replies: .json(.named("Explanation"))
      ) { try await explain($0) },
    ]
  }

  private func step(
    _ id: String, _ summary: String, _ word: String, _ scope: AccessScope, _ body: APIOperation.Body = .none,
    _ change: @escaping @Sendable (APIRequest, Belfry, _ id: Int64) throws -> [ItemChange]
  ) -> APIOperation {
    APIOperation(
      id, summary, .post, "/items/{id}/\(word)", .scope(scope), body: body, replies: .json(Self.item)
    ) { request in
      let id = try request.number()
      let check = { @Sendable (sight: Sight) in _ = try sight.item(id) }
      // First, since the body is read in the time zone of the item, and the visitor may not see every item.
      try await request.read(check)
      return try await request.change(requiring: check) { belfry in
        let changes = try change(request, belfry, id)
        let hindsight = try belfry.hindsight()
        return APIReply(changes.first.map { hindsight.json($0.listing) } ?? .null)
      }
    }
  }

  private func move(_ request: APIRequest) async throws -> APIReply {
    let (id, place) = (try request.number(), try request.place())
    return try await request.change { sight in
      _ = try sight.item(id)
      if let neighbour = place.neighbour { _ = try sight.item(neighbour) }
    } _: {
      APIReply(try $0.hindsight().json($0.move(id, to: place).listing))
    }
  }

  private func explain(_ request: APIRequest) async throws -> APIReply {
    let (id, services) = (try request.number(), request.services)
    return APIReply(
      try await request.readAtNamedTime { sight in
        _ = try sight.item(id)
        var owners = try OwnersInSight(sight)
        let explanation = try sight.reading.explain(
          id, settings: services.calls.belfry.settings, sinks: services.setup.sinks)
        return sight.reading.json(try owners.keep(explanation))
      })
  }
}

extension APIRequest {
  fileprivate func place() throws(Problem) -> ItemPlace {
    if let member = body.members.first, body.count == 1 {
      switch (member.key, member.value) {
      case ("before", .integer(let id)): return .before(id)
      case ("after", .integer(let id)): return .after(id)
      case ("last", true): return .end
      default: break
      }
    }
    throw Problem(
      .unprocessableContent, "the body must name one place", hint: #"{"before": ID}, {"after": ID} or {"last": true}"#)
  }

  fileprivate func snoozeEnd(of id: Int64, _ reading: Reading) throws -> SnoozeEnd {
    let texts = try texts("for", "until")
    let reader = reader(reading)
    guard let until = texts["until"] else { return .after(try reader.duration(texts["for"] ?? "10m", called: "for")) }
    guard texts["for"] == nil else {
      throw Problem(.unprocessableContent, "'for' and 'until' contradict each other", hint: "send one of them")
    }
    guard let zone = try reading.view.item(id: id)?.item.zone else { throw BelfryError.noItem(id) }
    return .at(try reader.wallTime(until, in: zone, called: "until"))
  }
}
