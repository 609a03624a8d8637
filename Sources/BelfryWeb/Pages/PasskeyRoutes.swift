import BelfryModel
import Digests
import FoundationEssentials
import HTTPTypes
import Hummingbird
import OrderedJSON
import Passkeys
import Synchronization
import WebAccess

/// Adding passkeys, and signing in with them (Web Authentication, level 2).
///
/// A form asks for options, the browser's script has an authenticator sign them, and the form is then sent.
struct PasskeyRoutes: RouteGroup {
  let visitors: Visitors
  let origin: OriginRule
  let sealing: SealingKey

  // The longest identities, keys and signatures in base64url, with room for a statement that is ignored.
  private static let mostBytes = 65_536
  private static let holderTime = 300.0

  var routes: [WebRoute] {
    [
      WebRoute(method: .post, path: "/access/passkeys/options", right: .scope(.read)) { try await addOptions($0, $1) },
      WebRoute(method: .post, path: "/access/passkeys", right: .scope(.read)) { try await add($0, $1) },
      WebRoute(method: .post, path: "/passkeys/options", right: .none) { try await signInOptions($0, $1) },
      WebRoute(method: .post, path: "/passkeys/sign-in", right: .none) { try await signIn($0, $1) },
    ]
  }

  // MARK: Adding

  private func addOptions(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, now) = (try owner(context), visitors.time.now)
    let site = try site(request)
    let known = try await visitors.useAccess { access in try access.passkeys(of: visitor.grant) }
    let name = visitor.grant.person ?? "Belfry, \(visitor.grant.scope.rawValue)"
    let options: JSONObject = [
      "challenge": .string(try await challenges.make(for: .adding, of: visitor.mark, at: now)),
      "rp": ["id": .string(site), "name": "Belfry"],
      "user": [
        "id": .string(Base64URL.encode(PasskeyChallenges.random(16))), "name": .string(name),
        "displayName": .string(name),
      ],
      "pubKeyCredParams": .array(PasskeyKey.algorithms.map { ["type": "public-key", "alg": .integer($0)] }),
      "excludeCredentials": .array(known.map { ["type": "public-key", "id": .string(Base64URL.encode($0))] }),
      "authenticatorSelection": [
        "residentKey": "required", "requireResidentKey": true, "userVerification": "required",
      ],
      "attestation": "none", "timeout": .integer(Int64(Self.holderTime * 1_000)),
    ]
    return .json(.object(options))
  }

  private func add(_ request: Request, _ context: WebContext) async throws -> Response {
    let (visitor, now) = (try owner(context), visitors.time.now)
    let fields = try await FormFields(request, upTo: Self.mostBytes)
    let label = try fields.text("label") ?? ""
    try AccessNames.check(label: label)
    let (ceremony, signed) = try await ceremony(request, .adding, of: visitor.mark)
    let (client, attestation) = (try fields.bytes("client"), try fields.bytes("attestation"))
    let made = try Self.checked { () throws(PasskeyFault) in
      try ceremony.made(client: client, attestation: attestation)
    }
    guard try await PasskeyChallenges.use(signed.challenge, visitors) else { throw Self.refused }
    let passkey = Passkey(credential: made.credential, key: made.key, counter: made.counter)
    try await visitors.useAccess { access in try access.add(passkey, label: label, for: visitor.grant, at: now) }
    return .leading(to: Notice.path("/access", after: .passkeyAdded))
  }

  // Sessions are sometimes left open, so a right that outlasts them needs a recent sign-in.
  private func owner(_ context: WebContext) throws -> Access {
    let visitor = try context.signedIn()
    guard visitor.isFresh(at: visitors.time.now) else {
      throw Problem(.conflict, "adding a passkey needs a sign-in within the last ten minutes", hint: "sign in again")
    }
    return visitor
  }

  // MARK: Signing in

  private func signInOptions(_ request: Request, _ context: WebContext) async throws -> Response {
    try origin.checkSignIn(request.head)
    let holder = Base64URL.encode(PasskeyChallenges.random(32))
    let options: JSONObject = [
      "challenge": .string(try await challenges.make(for: .signingIn, of: holder, at: visitors.time.now)),
      "rpId": .string(try site(request)), "userVerification": "required",
      "timeout": .integer(Int64(Self.holderTime * 1_000)),
    ]
    var response = Response.json(.object(options))
    response.headers[.setCookie] = SecretCookie.passkey.setting(
      holder, lasting: Self.holderTime, isSecure: visitors.isSecure(request.head))
    return response
  }

  private func signIn(_ request: Request, _ context: WebContext) async throws -> Response {
    try origin.checkSignIn(request.head)
    let (now, isSecure) = (visitors.time.now, visitors.isSecure(request.head))
    let fields = try await FormFields(request, upTo: Self.mostBytes)
    let holder = SecretCookie.passkey.secret(in: request.head, isSecure: isSecure) ?? ""
    let (ceremony, signed) = try await ceremony(request, .signingIn, of: holder)
    let (data, authenticator) = (try fields.bytes("client"), try fields.bytes("authenticator"))
    let (signature, credential) = (try fields.bytes("signature"), try fields.bytes("credential"))
    do {
      guard let passkey = try await visitors.useAccess({ access in try access.passkey(credential) }) else {
        throw Self.refused
      }
      let counter = try Self.checked { () throws(PasskeyFault) in
        try ceremony.counter(client: data, authenticator: authenticator, signature: signature, key: passkey.key)
      }
      guard try await PasskeyChallenges.use(signed.challenge, visitors) else { throw Self.refused }
      let time = SignIn.sessionTime(isSecure: isSecure)
      let old = SecretCookie.session.secret(in: request.head, isSecure: isSecure)
      let (session, destination) = try await visitors.useAccess { access in
        let label = BrowserName.name(request.head)
        let session = try access.openSession(
          passkey: credential, counter: counter, label: label, lasting: time, at: now)
        // The browser's cookie for its old session is replaced.
        if session != nil, let old { try access.endSession(old) }
        return (session, try SignIn.destination(request.head, isSecure: isSecure, in: access, at: now))
      }
      guard let session else { throw Self.refused }
      return SignIn.entered(session, lasting: time, isSecure: isSecure, destination, request.head)
    } catch let problem as Problem {
      throw await visitors.refusal(of: request.head, from: context.peer, .signIn, problem)
    }
  }

  // MARK: Both

  private var challenges: PasskeyChallenges {
    get async throws { PasskeyChallenges(sealingKey: try await sealing.value(visitors)) }
  }

  /// The challenge that was signed.
  private final class Signed: Sendable {
    private let text = Mutex("")
    var challenge: String {
      get { text.withLock { $0 } }
      set { text.withLock { $0 = newValue } }
    }
  }

  private func ceremony(
    _ request: Request, _ purpose: PasskeyChallenges.Purpose, of holder: String
  ) async throws -> (PasskeyCeremony, Signed) {
    let (now, signed, challenges) = (visitors.time.now, Signed(), try await challenges)
    let ceremony = PasskeyCeremony(site: try site(request), origins: origin.origins) { challenge in
      signed.challenge = challenge
      return challenges.isGood(challenge, for: purpose, of: holder, at: now)
    }
    return (ceremony, signed)
  }

  private func site(_ request: Request) throws -> String {
    guard let site = PasskeySite(request.head, visitors) else {
      throw Problem(
        .conflict, "browsers allow passkeys over https, and on this machine under the name localhost",
        hint: "open the page by that name")
    }
    return site.id
  }

  // The reason is not shown, since it would only help attackers.
  private static func checked<Result>(_ body: () throws(PasskeyFault) -> Result) throws(Problem) -> Result {
    do { return try body() } catch { throw refused }
  }

  private static let refused = Problem(
    .badRequest, "the passkey was not accepted", hint: "try again, or sign in with a link and add it anew")
}

extension FormFields {
  /// Bytes in base64url.
  ///
  /// - Throws: ``Problem`` 400 for anything else.
  fileprivate func bytes(_ name: String) throws(Problem) -> [UInt8] {
    let text = try text(name) ?? ""
    guard !text.isEmpty, let bytes = Base64URL.decode(text, count: text.utf8.count * 3 / 4) else {
      throw Problem(.badRequest, "the form's field '\(name)' is not in base64url")
    }
    return bytes
  }
}
