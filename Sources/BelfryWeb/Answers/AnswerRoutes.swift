import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import HTTPTypes
import Hummingbird
import WebAccess

/// The answer page, for anyone who has a link. Viewing changes nothing; cookies are ignored.
struct AnswerRoutes: RouteGroup, Sendable {
  let belfry: Belfry
  let links: LinkReader
  let visitors: Visitors
  /// The presses that wait for their commit.
  let presses: BatchQueue<LinkPress, LinkPress.Outcome>
  let decoy: Decoy
  /// The channels of the sinks.
  let channels: [Answer.Channel]

  var routes: [WebRoute] {
    [
      route(.get, "/a/:token") { link, _ in try await page(link) },
      route(.post, "/a/:token") { link, request in try await press(link, request) },
      route(.post, "/a/:token/take-back") { link, request in try await takeBack(link, request) },
      // The decoy: robots press a control that is named confirm.
      route(.post, "/a/:token/confirm") { link, _ in try await pressDecoy(link) },
      WebRoute(method: .post, path: "/a/:token/sign-in", right: .none) { request, context in
        try await withLink(request, context, expired: { try await signIn($0, request) }) {
          try await signIn($0, request)
        }
      },
    ]
  }

  private func route(
    _ method: HTTPRequest.Method, _ path: String,
    _ reply: @escaping @Sendable (AnswerLink, Request) async throws -> Response
  ) -> WebRoute {
    WebRoute(method: method, path: path, right: .none) { request, context in
      try await withLink(request, context) { try await reply($0, request) }
    }
  }

  // MARK: Opening

  private func withLink(
    _ request: Request, _ context: WebContext, expired: ((AnswerLink) async throws -> Response)? = nil,
    _ body: (AnswerLink) async throws -> Response
  ) async throws -> Response {
    let text = try context.parameters.require("token")
    do {
      switch try await run({ try links.open(text, at: $0.time.now) }) {
      case .valid(let link): return try await body(link)
      case .expired(let link): return try await expired?(link) ?? Self.expiredPage(link, request)
      case .bad: throw await refusal(of: request, context)
      }
    } catch let error as BelfryError where error.kind == .notFound {
      // A token for a reminder of another store gets the same reply as an invented one.
      throw await refusal(of: request, context)
    } catch let error as BelfryError {
      throw Concealed(error: error)
    }
  }

  private func refusal(of request: Request, _ context: WebContext) async -> Problem {
    await visitors.refusal(of: request.head, from: context.peer, .link, Self.unknown)
  }

  private func run<Result: Sendable>(_ body: @escaping @Sendable (Belfry) throws -> Result) async throws -> Result {
    try await visitors.threads.run { [belfry] in try body(belfry) }
  }

  private static let unknown = Problem(
    .notFound, "this link was not made by this server, or its key is gone", hint: "open the link in the message again")

  // MARK: Pages

  private func page(_ link: AnswerLink) async throws -> Response {
    do {
      let (sheet, pause) = try await run { [decoy] belfry in
        (try belfry.sheet(of: link.token.reminder), try decoy.pauseEnd(of: link, at: belfry.time.now))
      }
      return response(link, sheet, pause.map { Self.paused(until: $0, sheet) }, status: .ok)
    } catch let error as BelfryError where error.kind == .notFound {
      guard let buttons = try await run({ try LinkTest(of: link.token.reminder, $0).buttons() }) else { throw error }
      return TestPage(link: link).response(offering: buttons)
    }
  }

  private func response(
    _ link: AnswerLink, _ sheet: ReminderSheet, _ reply: PressReply?, status: HTTPResponse.Status? = nil
  ) -> Response {
    let places = ReminderPage.Places(
      action: { link.path(action: $0.number) }, signIn: { link.path(action: $0.number) + "/sign-in" },
      takeBack: link.path(action: 0) + "/take-back", decoy: link.path(action: 0) + "/confirm")
    var page = ReminderPage(sheet, zones: belfry.zones, places: places, channels: channels)
    page.front = Int(link.token.action)
    page.end = link.token.expiry.date
    page.notice = reply?.notice
    page.isOpen = reply?.status != .tooManyRequests
    var response = page.response(status: status ?? reply?.status ?? .ok)
    if response.status == .tooManyRequests { response.headers[.retryAfter] = "\(Int(Decoy.pauseTime))" }
    return response
  }

  private static func paused(until end: Date, _ sheet: ReminderSheet) -> PressReply {
    PressReply(
      .tooManyRequests, "This link has no buttons for a while",
      "a program, such as one that checks mail, pressed a hidden button; what it did was undone, and the buttons "
        + "return \(sheet.zone.readable(end))")
  }

  private static func expiredPage(_ link: AnswerLink, _ request: Request) throws(Problem) -> Response {
    let end = Zone.utc.readable(link.token.expiry.date)
    guard !AcceptedForms(request.head).prefersJSON else {
      throw Problem(.gone, "the token has expired: \(end)", hint: "sign in to answer the reminder")
    }
    return .page("This link has expired", status: .gone) { body in
      body.paragraph("It worked until \(end). Whoever signs in still sees the reminder, and can answer it.")
      body.form(action: link.path(action: Int(link.token.action)) + "/sign-in", button: "Sign in", style: "main")
    }
  }
}

// MARK: Presses

extension AnswerRoutes {
  private func press(_ link: AnswerLink, _ request: Request) async throws -> Response {
    guard link.token.action > 0 else {
      throw Problem(.unprocessableContent, "this link names no action", hint: "open it, and press a button")
    }
    let prefersJSON = AcceptedForms(request.head).prefersJSON
    let latest = try await FormFields(request).number("latest")
    let press = LinkPress(link: link, latestAnswer: latest, isForPage: !prefersJSON)
    let outcome: LinkPress.Outcome
    do {
      outcome = try await presses.output(of: press)
    } catch let error as BelfryError where error.kind == .notFound {
      let action = Int(link.token.action)
      let pressed = try await run { try LinkTest(of: link.token.reminder, $0).take(action) }
      guard let pressed else { throw error }
      return TestPage(link: link).response(to: pressed, asJSON: prefersJSON)
    }
    switch outcome {
    case .paused(let end):
      let sheet = try await run { try $0.sheet(of: link.token.reminder) }
      let reply = Self.paused(until: end, sheet)
      guard !prefersJSON else { throw Problem(reply.status, reply.notice.words, retryAfter: Int(Decoy.pauseTime)) }
      return response(link, sheet, reply)
    case .pressed(let result, .program(let viewpoint)): return try PressReply.json(result, viewpoint)
    case .pressed(let result, .page(let sheet)):
      let reply = PressReply(result, over: sheet)
      guard let path = reply.opens else { return response(link, sheet, reply) }
      // Without a session, that page asks for a sign-in, and then redirects back.
      return SignIn.leading(to: path, try await keepDestination(link), isSecure: visitors.isSecure(request.head))
    }
  }

  private func takeBack(_ link: AnswerLink, _ request: Request) async throws -> Response {
    let id = try await FormFields(request).answer()
    let (sheet, reply) = try await run { [decoy] belfry in
      let (reply, pause) = try decoy.unlessPaused(link, belfry) { try Self.takeBack(id, over: link, belfry, decoy) }
      let sheet = try belfry.sheet(of: link.token.reminder)
      return (sheet, reply ?? pause.map { Self.paused(until: $0, sheet) })
    }
    return response(link, sheet, reply)
  }

  private static func takeBack(
    _ id: Int64, over link: AnswerLink, _ belfry: Belfry, _ decoy: Decoy
  ) throws -> PressReply {
    let answer = try belfry.read { try $0.view.answer(id: id) }
    if let answer, try belfry.sheet(of: link.token.reminder).needsSignIn(toTakeBack: answer) {
      return PressReply(.forbidden, unchanged: "only someone who has signed in can take this back")
    }
    return try TakingBack(over: link.token.reminder, belfry) {
      try decoy.takeBacks.note(over: link.identity) { try belfry.takeBack(id, over: link.token.reminder) }
    }.reply
  }

  private func pressDecoy(_ link: AnswerLink) async throws -> Response {
    let (sheet, end) = try await run { [decoy] belfry in
      let end = try decoy.press(over: link, belfry)
      return (try belfry.sheet(of: link.token.reminder), end)
    }
    return response(link, sheet, Self.paused(until: end, sheet))
  }

  // Actions that need a session are on another page, since this one ignores cookies.
  private func signIn(_ link: AnswerLink, _ request: Request) async throws -> Response {
    SignIn.asking(try await keepDestination(link), isSecure: visitors.isSecure(request.head))
  }

  private func keepDestination(_ link: AnswerLink) async throws -> String {
    try await run { [access = visitors.access] belfry in
      let number = Int(link.token.action)
      let isOffered = try belfry.sheet(of: link.token.reminder).offers.contains { $0.number == number }
      let names = try belfry.read { try $0.view.personNames() }
      let destination = Destination(
        reminder: link.token.reminder, action: isOffered ? number : nil, person: names[Int64(link.token.person)])
      return try SignIn.keep(destination, in: access, at: belfry.time.now)
    }
  }
}

/// The result of taking an answer back: the reminder after it, and the notice.
struct TakingBack {
  let sheet: ReminderSheet
  let reply: PressReply

  /// Takes back an answer over a reminder.
  ///
  /// - Throws: ``BelfryError``, except `.badInput`, which becomes a reply.
  init(over reminder: UUID, _ belfry: Belfry, _ takeBack: () throws -> TakenBack) throws {
    do {
      let answer = try takeBack().answer
      sheet = try belfry.sheet(of: reminder)
      reply = PressReply(takenBack: answer, over: sheet)
    } catch let error as BelfryError where error.kind == .badInput {
      sheet = try belfry.sheet(of: reminder)
      reply = PressReply(.conflict, unchanged: error.message)
    }
  }
}
