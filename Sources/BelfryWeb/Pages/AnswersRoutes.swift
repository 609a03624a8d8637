import BelfryEngine
import BelfryModel
import Hummingbird
import WebAccess

/// The page of answers, and the route that takes an answer back.
struct AnswersRoutes: RouteGroup {
  // Limited, since all pages before the requested one have to be read.
  private static let mostPages: Int64 = 100_000

  let calls: StoreCalls

  var routes: [WebRoute] {
    [
      WebRoute(method: .get, path: "/answers", right: .scope(.read)) { try await show($0, $1) },
      WebRoute(method: .post, path: "/answers/:id/take-back", right: .scope(.answer)) { try await takeBack($0, $1) },
    ]
  }

  private func show(_ request: Request, _ context: WebContext) async throws -> Response {
    let visitor = try context.signedIn()
    let number = Int(min(max(try FormFields(query: request).number("page") ?? 1, 1), Self.mostPages))
    var (page, shell) = try await calls.wholePage(request, visitor) { try Self.page(number, $0, visitor) }
    shell.back = .settings
    return shell.response("Answers", to: request) { page.add(to: &$0) }
  }

  private static func page(_ number: Int, _ sight: Sight, _ visitor: Access) throws -> AnswersPage {
    var owners = try OwnersInSight(sight)
    var (answers, hasMore, skipped): ([Answer], Bool, Int) = ([], false, 0)
    try sight.reading.view.visitAnswers(limit: nil) { answer in
      guard try owners.include(answer) else { return .next }
      if skipped < (number - 1) * AnswersPage.length {
        skipped += 1
      } else if answers.count < AnswersPage.length {
        answers.append(answer)
      } else {
        hasMore = true
      }
      return hasMore ? .stop : .next
    }
    return AnswersPage(
      answers: answers, hasMore: hasMore, page: number, people: try sight.reading.view.personNames(),
      time: PageTime(sight.reading), scope: visitor.grant.scope)
  }

  private func takeBack(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, id) = (try context.signedIn(), try context.number("answer"))
    let sent = try await FormFields(request)
    let change = try await calls.markedChange(by: visitor) { sight in
      var owners = try OwnersInSight(sight)
      guard let answer = try sight.reading.view.answer(id: id), try owners.include(answer) else {
        throw Problem(.notFound, "there is no such answer")
      }
    } _: { belfry in
      _ = try belfry.takeBack(id)
    }
    let back = try WayBack.path(sent, or: "/answers")
    return .leading(to: Notice.path(back, after: .takenBack, change: change.mark))
  }
}
