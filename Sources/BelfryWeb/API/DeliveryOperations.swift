import BelfryEngine
import BelfryModel
import OrderedJSON

/// The operations on deliveries.
struct DeliveryOperations: APIGroup {
  var operations: [APIOperation] {
    [
      APIOperation(
        "getDeliveries", "Deliveries with the answers to them, newest first", .get, "/deliveries", .scope(.read),
        query: [
          .init(
            name: "state", words: "the state", schema: .one(of: Delivery.State.allCases.map(\.name)))
        ], replies: .page(of: .named("AnsweredDelivery"))
      ) { try await deliveries($0) },
      step("retryDelivery", "Retries a dead delivery, within a minute", "retry") { try $0.retryDeliveries([$1]) },
      step("discardDelivery", "Cancels a pending delivery", "discard") { try $0.discardDeliveries([$1]) },
    ]
  }

  private func deliveries(_ request: APIRequest) async throws -> APIReply {
    let wanted = try PageRequest(request.query)
    let state = try request.query.one("state", of: Delivery.State.allCases, \.name)
    return APIReply(
      try await request.read { sight in
        let (reading, people) = (sight.reading, try sight.reading.view.personNames())
        var owners = try OwnersInSight(sight)
        return try Page(wanted) { add in
          try reading.view.visitDeliveries(state: state, limit: nil) { delivery, message in
            guard try owners.include(message) else { return }
            let answers = try reading.view.answers(to: message)
            try add(reading.json(delivery, of: message, answers: answers, people: people), [-delivery.id])
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
      let deliveries = try await request.change { sight in
        var owners = try OwnersInSight(sight)
        let message = try sight.reading.view.delivery(id: id).flatMap {
          try sight.reading.view.message(id: $0.messageID)
        }
        guard try message.map({ try owners.include($0) }) ?? false else {
          throw Problem(.notFound, "there is no delivery \(id)")
        }
      } _: { belfry in
        let hindsight = try belfry.hindsight()
        return try change(belfry, id).map { hindsight.json($0, of: $1) }
      }
      return APIReply(deliveries.first ?? .null)
    }
  }
}
