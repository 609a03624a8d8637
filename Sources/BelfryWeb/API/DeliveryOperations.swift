import BelfryEngine
import BelfryModel
import OrderedJSON

struct DeliveryOperations: APIGroup {
  var operations: [APIOperation] {
    [
      APIOperation(
        "getDeliveries", "Deliveries with the answers to them, newest first", .get, "/deliveries", .scope(.read),
        query: [
          .init(
            name: "state", words: "the state", schema: .one(of: Delivery.State.allCases.map(\.name))),
          .init(name: "sink", words: "the name of a sink", schema: .words),
          .init(name: "list", words: "the name of a list: only deliveries of its reminders", schema: .words),
        ], replies: .page(of: .named("AnsweredDelivery"))
      ) { try await deliveries($0) },
      step("retryDelivery", "Retries a dead delivery, within a minute", "retry") { try $0.retryDeliveries([$1]) },
      step("discardDelivery", "Cancels a pending delivery, or puts a dead one away", "discard") {
        try $0.discardDeliveries([$1])
      },
    ]
  }

  private func deliveries(_ request: APIRequest) async throws -> APIReply {
    let wanted = try await request.page()
    let state = try request.query.one("state", of: Delivery.State.allCases, \.name)
    return APIReply(
      try await request.read { sight in
        let (reading, people) = (sight.reading, try sight.reading.view.personNames())
        let list = try request.query["list"].map { try sight.list(named: $0).id }
        var owners = try OwnersInSight(sight)
        // A copy, since `owners` cannot be used during its own visit.
        var answered = owners
        return try Page(wanted) { add in
          let query = DeliveryQuery(
            state: state, sink: request.query["sink"], lists: list.map { [$0] },
            before: wanted.firstKey.map { -max($0, -.max) }, limit: wanted.limit + 1)
          try owners.visitDeliveries(query) { delivery, message in
            let answers = try answered.answers(to: message)
            return try add(reading.json(delivery, of: message, answers: answers, people: people), [-delivery.id])
          }
        }
      })
  }

  private func step(
    _ id: String, _ summary: String, _ word: String,
    _ change: @escaping @Sendable (Belfry, _ id: Int64) throws -> [(Delivery, Message)]
  ) -> APIOperation {
    APIOperation(
      id, summary, .post, "/deliveries/{id}/\(word)", .scope(.admin), replies: .json(.named("Delivery"))
    ) { request in
      let id = try request.number()
      return try await request.change { sight in
        var owners = try OwnersInSight(sight)
        let message = try sight.reading.view.delivery(id: id).flatMap {
          try sight.reading.view.message(id: $0.messageID)
        }
        guard try message.map({ try owners.include($0) }) ?? false else {
          throw Problem(.notFound, "there is no delivery \(id)")
        }
      } _: { belfry in
        let hindsight = try belfry.hindsight()
        return APIReply(try change(belfry, id).map { hindsight.json($0, of: $1) }.first ?? .null)
      }
    }
  }
}
