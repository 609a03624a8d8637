import BelfryEngine
import BelfryTestKit
import ConfigKeys
import Foundation
import HTTPTypes
import Hummingbird
import Testing
import WebAccess

@testable import BelfryWeb

@Suite("A proxy that signs people in")
struct SigningProxyTests {
  private static let secret = "the proxy's secret"
  private static let shown = "X-Belfry-Proxy-Secret: \(secret)\r\n"
  private static let now = Date(timeIntervalSince1970: 1_795_248_000)

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(in: TemporaryFolder.inMemory) }

  private func server(secret: String? = secret, listen: ListenAddress? = nil) throws -> Server {
    var settings = WebSettings.freePort
    settings.userHeader = "Remote-User"
    settings.proxySecret = secret.map { SecretSource(Secret($0)) }
    if let listen { settings.listen = listen }
    var people = Settings()
    people.people = ["anna", "Zoë", "Zoë <b>", String(repeating: "a", count: 200)].map {
      Person(name: $0, sinks: ["out"])
    }
    return try Server(settings, belfry: people) { router in
      router.post("harmless") { _, _ in Response(status: .noContent) }
    }
  }

  private func person(_ name: String) -> String { "Remote-User: \(name)\r\n" }

  @Test("the person whom it names is let in to edit, and is called by that name")
  func known() async throws {
    let server = try server()
    let reply = try await server.get("/", person("Zoë <b>") + Self.shown)
    #expect(reply.status == 200 && reply.body.contains("<span dir=\"auto\">Zoë &lt;b&gt;</span>"), "\(reply)")
    #expect(try await server.get("/metrics", person("Zoë") + Self.shown).status == 200)
    // Nobody is named where the proxy sends an empty name.
    #expect(try await server.get("/", person("") + Self.shown).status == 401)
    #expect(try await server.get("/", Self.shown).status == 401)
  }

  @Test("a person whom the config does not name is refused, where the proxy vouches for them")
  func stranger() async throws {
    let server = try server()
    let reply = try await server.get("/", person("bert <b>") + Self.shown)
    #expect(reply.status == 403 && reply.body.contains("'bert <b>' is not one of the people"), "\(reply)")
    #expect(try await server.get("/", person("Anna") + Self.shown).status == 403)
    #expect(try await server.get("/", person("bert")).status == 401)
    #expect(try await server.get("/healthz", person("bert") + Self.shown).status == 200)
  }

  @Test("without its secret a name counts for nothing, and the reply is that for everybody")
  func forged() async throws {
    let server = try server()
    let plain = try await server.get("/")
    for fields in [
      "", "X-Belfry-Proxy-Secret: \r\n", "X-Belfry-Proxy-Secret: \(Self.secret)x\r\n", Self.shown + Self.shown,
      "X-Belfry-Proxy-Secret: the proxy's secre\r\n",
    ] {
      let reply = try await server.get("/", person("anna") + fields)
      #expect(reply.status == 401 && reply.body == plain.body, "\(fields)")
    }
  }

  @Test("its secret cannot be guessed without limit, and the right one is taken meanwhile")
  func guessed() async throws {
    let server = try server()
    let wrong = person("anna") + "X-Belfry-Proxy-Secret: guess\r\n"
    for _ in 1...20 { #expect(try await server.get("/", wrong).status == 401) }
    #expect(try await server.get("/", wrong).status == 429)
    #expect(try await server.get("/", person("anna") + Self.shown).status == 200)
  }

  @Test("a doubled, a long, and an unprintable name are refused on every route", arguments: ["/", "/healthz", "/none"])
  func refused(path: String) async throws {
    let server = try server()
    for names in [person("anna") + person("bert"), person(String(repeating: "a", count: 201)), person("an\u{7F}na")] {
      #expect(try await server.get(path, names + Self.shown).status == 400, "\(names)")
    }
    #expect(try await server.get(path, person(String(repeating: "a", count: 200)) + Self.shown).status != 400)
  }

  @Test("a token counts before it, and it before a cookie")
  func order() async throws {
    let server = try server()
    let token = try server.access.addToken("laptop", for: Access.Grant(scope: .read), at: Self.now)
    let bearer = "Authorization: Bearer \(token)\r\n"
    #expect(try await server.get("/", person("anna") + Self.shown + bearer).body.contains(">laptop</span>"))
    #expect(try await server.get("/", person("anna") + Self.shown + "Authorization: Bearer x\r\n").status == 401)
    let cookie = "Cookie: belfry=x\r\n"
    #expect(try await server.get("/", person("anna") + Self.shown + cookie).body.contains(">anna</span>"))
    // nginx and Caddy pass on the password that they asked for.
    let password = "Authorization: Basic YW5uYTp4\r\n"
    #expect(try await server.get("/", person("anna") + Self.shown + password).body.contains(">anna</span>"))
  }

  @Test("the password of a proxy hides no session, and counts as no guess")
  func password() async throws {
    let server = try server()
    let password = "Authorization: Basic YW5uYTp4\r\n"
    let link = try server.access.makeLink(for: Access.Grant(scope: .read), at: Self.now)
    let session = try #require(try server.access.openSession(link: link, lasting: 3_600, at: Self.now))
    #expect(try await server.get("/", password + "Cookie: belfry=\(session)\r\n").status == 200)
    for _ in 1...25 { #expect(try await server.get("/", password).status == 401) }
    // One who opens a page before signing in is led back to it.
    let page = try await server.get("/lists/1", password + PageFixture.html)
    #expect(page.status == 401 && page["set-cookie"].contains { $0.hasPrefix("belfry-page=") }, "\(page.fields)")
  }

  @Test("a page of another site cannot use the name that it adds")
  func origin() async throws {
    let server = try server()
    let named = person("anna") + Self.shown
    #expect(try await server.post("/harmless", named + "Sec-Fetch-Site: cross-site\r\n").status == 403)
    #expect(try await server.post("/harmless", named).status == 403)
    #expect(try await server.post("/harmless", named + "Sec-Fetch-Site: same-origin\r\n").status == 204)
    #expect(try await server.post("/harmless").status == 204)
  }

  @Test("over a socket in the file system it needs no secret")
  func socket() async throws {
    let server = try server(secret: nil, listen: .unix(path: folder.file("socket")))
    #expect(try await server.get("/", person("anna")).body.contains(">anna</span>"))
  }

  @Test("without the setting the header is one as any other")
  func none() async throws {
    #expect(try await Server().get("/", person("anna")).status == 401)
  }

  @Test("a socket for everybody is told from one for its user or group", arguments: [0o600, 0o660, 0o666, 0o602])
  func modes(mode: Int) throws {
    let path = folder.file("socket")
    let socket = try ListeningSocket(listeningOn: .unix(path: path), mode: .user)
    defer { close(socket.descriptor) }
    chmod(path, mode_t(mode))
    #expect(socket.isRestricted == (mode == 0o600 || mode == 0o660))
    let tcp = try ListeningSocket(listeningOn: WebSettings.freePort.listen, mode: .user)
    defer { close(tcp.descriptor) }
    #expect(!tcp.isRestricted)
  }
}
