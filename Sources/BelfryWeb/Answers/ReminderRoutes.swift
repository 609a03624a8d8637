import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import HTTPTypes
import Hummingbird
import WebAccess

/// The page of a reminder for people who have signed in, on which destructive actions can be pressed.
struct ReminderRoutes: RouteGroup, Sendable {
  let calls: StoreCalls
  let visitors: Visitors
  /// The channels of the sinks.
  let channels: [Answer.Channel]

  private var belfry: Belfry { calls.belfry }

  var routes: [WebRoute] {
    [
      route(.get, "/reminders/:id") { _, context in try await page(context) },
      route(.get, "/reminders/:id/actions/:action") { _, context in try await page(context) },
      route(.post, "/reminders/:id/actions/:action") { request, context in try await press(request, context) },
      route(.post, "/reminders/:id/take-back") { request, context in try await takeBack(request, context) },
    ]
  }

  private func route(_ method: HTTPRequest.Method, _ path: String, _ reply: @escaping WebRoute.Reply) -> WebRoute {
    WebRoute(method: method, path: path, right: .scope(.answer), reply: reply)
  }

  private func page(_ context: WebContext) async throws -> Response {
    let (id, visitor) = (try id(context), try context.signedIn())
    let sheet = try await sheet(of: id, for: visitor)
    let front = action(context)
    let isFresh = visitor.isFresh(at: belfry.time.now)
    // There is nothing to press if the action only opens a page.
    if let action = sheet.offers.first(where: { $0.number == front })?.action, action.operation == .edit,
      isFresh || !action.needsSignIn
    {
      return .leading(to: sheet.reminder.occurrence.owner.editingPath)
    }
    return response(sheet, visitor, front: front)
  }

  private func press(_ request: Request, _ context: WebContext) async throws -> Response {
    let (id, visitor) = (try id(context), try context.signedIn())
    let latest = try await FormFields(request).number("latest")
    let sheet = try await sheet(of: id, for: visitor)
    guard let offer = sheet.offers.first(where: { $0.number == action(context) }) else {
      throw Self.unknown
    }
    let isFresh = visitor.isFresh(at: belfry.time.now)
    if offer.action.needsSignIn, !isFresh {
      guard visitor.kind == .session else {
        throw Problem(.forbidden, "this needs a person who has signed in", hint: "open the page in a browser")
      }
      return try await signIn(offer, of: id, visitor, request)
    }
    // A page counts as one press, however often its form is sent.
    let press = Press(
      reminder: id, choice: .number(offer.number), channel: .web,
      author: visitor.grant.person.map { .name($0) } ?? .number(0),
      externalID: latest.map { "\(id.uuidString.lowercased()) \(offer.number) \($0)" }, isAuthenticated: isFresh)
    let result = try await change { try $0.answer(press) }
    let after = try await self.sheet(of: id, for: visitor)
    return response(after, visitor, front: nil, PressReply(result, over: after))
  }

  private func takeBack(_ request: Request, _ context: WebContext) async throws -> Response {
    let (id, visitor) = (try id(context), try context.signedIn())
    let answer = try await FormFields(request).answer()
    _ = try await sheet(of: id, for: visitor)
    let result = try await change { belfry in
      try TakingBack(over: id, belfry) { try belfry.takeBack(answer, over: id) }
    }
    return response(result.sheet, visitor, front: nil, result.reply)
  }

  private func response(
    _ sheet: ReminderSheet, _ visitor: Access, front: Int?, _ reply: PressReply? = nil
  ) -> Response {
    if let path = reply?.opens { return .leading(to: path) }
    let id = sheet.reminder.id
    // Pressing an action that needs a recent sign-in asks for one.
    let action = { (offer: ReminderSheet.Offer) in Destination(reminder: id, action: offer.number).path }
    let places = ReminderPage.Places(
      action: action, signIn: visitor.isFresh(at: belfry.time.now) ? nil : action,
      takeBack: Destination(reminder: id, action: nil).path + "/take-back", decoy: nil)
    var page = ReminderPage(sheet, zones: belfry.zones, places: places, channels: channels)
    page.front = front
    page.notice = reply?.notice
    return page.response(status: reply?.status ?? .ok)
  }

  // The destination is kept by the server, and not in a URL.
  private func signIn(
    _ offer: ReminderSheet.Offer, of id: UUID, _ visitor: Access, _ request: Request
  ) async throws -> Response {
    let now = belfry.time.now
    let destination = Destination(reminder: id, action: offer.number, person: visitor.grant.person)
    let secret = try await visitors.useAccess { access in try SignIn.keep(destination, in: access, at: now) }
    return SignIn.asking(secret, isSecure: visitors.isSecure(request.head))
  }

  private func sheet(of id: UUID, for visitor: Access) async throws -> ReminderSheet {
    try await run { belfry in
      let sheet = try belfry.sheet(of: id)
      let isVisible = try belfry.read { reading in
        var owners = try OwnersInSight(Sight(reading: reading, grant: visitor.grant))
        return try owners.include(sheet.content)
      }
      guard isVisible else { throw Self.unknown }
      return sheet
    }
  }

  private func run<Result: Sendable>(_ body: @escaping @Sendable (Belfry) throws -> Result) async throws -> Result {
    try await concealed { try await calls.run(body) }
  }

  private func change<Result: Sendable>(_ body: @escaping @Sendable (Belfry) throws -> Result) async throws -> Result {
    try await concealed { try await calls.makeTogether(body) }
  }

  private func concealed<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch let error as BelfryError where error.kind == .notFound {
      throw Self.unknown
    }
  }

  private func id(_ context: WebContext) throws -> UUID {
    guard let id = UUID(uuidString: try context.parameters.require("id")) else { throw Self.unknown }
    return id
  }

  private func action(_ context: WebContext) -> Int? { context.parameters.get("action").flatMap { Int($0) } }

  private static let unknown = Problem(.notFound, "there is no such reminder or action")
}
