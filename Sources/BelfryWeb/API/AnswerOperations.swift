import BelfryEngine
import BelfryModel
import FoundationEssentials
import OrderedJSON

/// The operations on answers to reminders.
struct AnswerOperations: APIGroup {
  var operations: [APIOperation] {
    [
      APIOperation(
        "getAnswers", "Answers to reminders, newest first", .get, "/answers", .scope(.read),
        query: [.init(name: "item", words: "the number of an item", schema: .number)],
        replies: .page(of: .named("Answer"))
      ) { try await answers($0) },
      APIOperation(
        "takeAnswerBack", "Undoes an answer, within a day", .post, "/answers/{id}/take-back", .scope(.answer),
        replies: .json(.named("Answer"))
      ) { try await takeBack($0) },
      APIOperation(
        "answerReminder", "Answers a reminder with one of its actions", .post,
        "/reminders/{reminder}/actions/{action}", .scope(.answer), replies: .json(.named("GivenAnswer"))
      ) { try await answer($0) },
    ]
  }

  private func answers(_ request: APIRequest) async throws -> APIReply {
    let wanted = try await request.page()
    let item = try request.query.number("item")
    return APIReply(
      try await request.read { sight in
        let (reading, people) = (sight.reading, try sight.reading.view.personNames())
        var owners = try OwnersInSight(sight)
        return try Page(wanted) { add in
          func visit(_ answer: Answer) throws -> VisitResult {
            guard try owners.include(answer) else { return .next }
            return try add(reading.json(answer, people: people), [-answer.id])
          }
          guard let item else { return try reading.view.visitAnswers(limit: nil, visit) }
          let answers = try owners.include(.item(item)) ? reading.view.answers(of: .item(item)) : []
          // Answers outlive their item, so a missing item is an error only if it has none.
          if answers.isEmpty { _ = try sight.item(item) }
          _ = try answers.reversed().first { try visit($0) == .stop }
        }
      })
  }

  private func takeBack(_ request: APIRequest) async throws -> APIReply {
    let id = try request.number()
    return try await request.change { sight in
      var owners = try OwnersInSight(sight)
      guard let answer = try sight.reading.view.answer(id: id), try owners.include(answer) else {
        throw Problem(.notFound, "there is no answer \(id)")
      }
    } _: { belfry in
      let answer = try belfry.takeBack(id).answer
      let hindsight = try belfry.hindsight()
      return APIReply(hindsight.json(answer, people: hindsight.people))
    }
  }

  private func answer(_ request: APIRequest) async throws -> APIReply {
    let (word, action) = (try request.word("reminder"), try request.word("action"))
    let unknown = Problem(.notFound, "there is no such reminder or action")
    guard let id = UUID(uuidString: word) else { throw unknown }
    let visitor = request.visitor
    let isFresh = visitor.isFresh(at: request.services.calls.belfry.time.now)
    let check = { @Sendable (sight: Sight) in
      var owners = try OwnersInSight(sight)
      guard let reminder = try sight.reading.view.reminder(id: id), try owners.include(reminder.occurrence.owner)
      else { throw unknown }
    }
    // First, since not every visitor may know the reminder's actions.
    try await request.read(check)
    return try await request.change(requiring: check) { belfry in
      if try belfry.action(.identifier(action), of: id).needsSignIn, !isFresh {
        throw Problem(
          .forbidden, "this needs a person who signed in at most ten minutes ago",
          hint: "open the reminder in a browser")
      }
      let press = Press(
        reminder: id, choice: .identifier(action), channel: .api,
        author: visitor.grant.person.map { .name($0) } ?? .number(0), isAuthenticated: isFresh)
      return APIReply(try PressReply.given(try belfry.answer(press), try belfry.hindsight()))
    }
  }
}

extension PressReply {
  /// The answer that a press gave, as `act --json` shows it.
  ///
  /// - Throws: ``Problem`` if it changed nothing and had not been done before.
  fileprivate static func given(_ result: PressResult, _ hindsight: Hindsight) throws(Problem) -> JSONValue {
    guard case .answered(let answer, _) = result, [.done, .already].contains(answer.effect) else {
      throw problem(of: result)
    }
    return hindsight.json(given: answer, people: hindsight.people)
  }
}
