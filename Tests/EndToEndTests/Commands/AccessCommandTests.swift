import Foundation
import Testing

@Suite("belfry access")
struct AccessCommandTests {
  private let box: Sandbox

  init() throws { box = try Sandbox() }

  @Test("a token is printed once, listed without itself, and ended by its name")
  func tokens() async throws {
    let added = try await box.belfry("access", "add", "laptop", "--scope", "edit")
    let token = try #require(added.output.wholeMatch(of: #/(bfy_[\w-]{49})\n/#)?.1, "\(added)")
    let again = try await box.belfry("access", "add", "laptop")
    #expect(again.status == 64, "\(again)")
    let list = try await box.belfry("access", "list", "--json")
    let access = try #require(try list.elements.first)
    #expect(access["name"] == .text("laptop") && access["scope"] == .text("edit") && access["last_used_at"] == .null)
    #expect(!list.output.contains(token))
    let shown = try await box.belfry("access", "list").output.split(separator: "\n")
    #expect(shown.first?.split(separator: " ").joined(separator: " ") == "Name Label Scope Person Lists Last used")
    #expect(shown.count == 2 && shown.last?.split(separator: " ") == ["laptop", "edit", "never"], "\(shown)")
    #expect(try await box.belfry("access", "revoke", "laptop").isDone)
    #expect(try await box.belfry("access", "revoke", "laptop").status == 66)
    #expect(try await box.json("access", "list") == .array([]))
    let none = try await box.belfry("access", "list")
    #expect(none.isDone && none.output.isEmpty && none.messages == "No access to show.\n", "\(none)")
  }

  @Test("with a token ends what its browser shows, and the command says so")
  func subscription() async throws {
    try box.write(
      """
      store: { type: sqlite, path: store.sqlite }
      sinks: { phone: { type: webpush, path: push.sqlite, contact: me@example.org } }
      web: { listen: '127.0.0.1:0' }
      """, to: "belfry.yaml")
    let added = try await box.json("access", "add", "laptop", "--scope", "answer").elements?.first
    let token = try #require(added?["token"]?.text)
    try await box.belfry("access", "add", "other").requireDone()
    let face = try await box.webFace()
    // The keys of the example of RFC 8291, section 5.
    let keys =
      "p256dh=BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
      + "&auth=BTBZMqHH6r4Tts7J_aSIgg"
    let endpoint = "https%3A%2F%2Ffcm.googleapis.com%2Ffcm%2Fsend%2Fx"
    let posted = try await box.shell(
      "curl -sS --fail-with-body -H 'Authorization: Bearer \(token)' "
        + "-d 'sink=phone&label=Kitchen&endpoint=\(endpoint)&\(keys)' \(face.url)/notifications")
    #expect(posted.isDone, "\(posted)")
    #expect(try await box.belfry("access", "revoke", "other").messages == "Revoked 'other'.\n")
    let revoked = try await box.belfry("access", "revoke", "laptop")
    #expect(
      revoked.isDone && revoked.messages.contains("These browsers show no more reminders: Kitchen."), "\(revoked)")
    _ = await face.stop()
  }

  @Test("a token for a list names one that is there")
  func lists() async throws {
    try await box.json("list", "create", "Family")
    #expect(try await box.belfry("access", "add", "phone", "--scope", "feed", "-l", "Famly").status == 66)
    let added = try await box.belfry("access", "add", "phone", "--scope", "feed", "-l", "Family")
    let url = #/http://127\.0\.0\.1:8787/agenda/bfy_[\w-]{49}\.ics\n/#
    #expect(
      added.output.wholeMatch(of: url) != nil && added.messages.contains("works on this machine alone"), "\(added)")
    let list = try await box.json("access", "list")
    #expect(list.elements?.first?["lists"] == .array([.text("Family")]))
  }

  @Test("a feed's token is printed as the URL to subscribe to, as calendar programs reach it, and serves the calendar")
  func feed() async throws {
    try box.write(Sandbox.defaultConfig + "web: { listen: '127.0.0.1:0' }\n", to: "belfry.yaml")
    let bare = try await box.belfry("access", "add", "bare", "--scope", "feed")
    #expect(
      bare.output.wholeMatch(of: #/bfy_[\w-]{49}\n/#) != nil && bare.messages.contains("web.public_url"), "\(bare)")
    try box.write(Sandbox.defaultConfig + "web: { public_url: https://belfry.example.org }\n", to: "belfry.yaml")
    let added = try #require(try await box.json("access", "add", "phone", "--scope", "feed").elements?.first)
    let (token, url) = (try #require(added["token"]?.text), try #require(added["url"]?.text))
    #expect(url == "https://belfry.example.org/agenda/\(token).ics")
    let other = try await box.json("access", "add", "laptop")
    #expect(other.elements?.first?["url"] == .null)
    try box.write(Sandbox.defaultConfig + "web: { listen: '127.0.0.1:0' }\n", to: "belfry.yaml")
    let face = try await box.webFace()
    let served = try await box.shell("curl -sS --fail \(url.replacing("https://belfry.example.org", with: face.url))")
    #expect(served.isDone && served.output.hasPrefix("BEGIN:VCALENDAR"), "\(served)")
    _ = await face.stop()
  }

  @Test("a token and a session are their person's")
  func people() async throws {
    let unknown = try await box.belfry("access", "add", "laptop", "--person", "Zoë Müller")
    #expect(unknown.status == 66 && unknown.messages.contains("its 'people' names nobody"), "\(unknown)")
    try box.write(Sandbox.defaultConfig + "people: { Zoë Müller: { sinks: [out] } }\n", to: "belfry.yaml")
    #expect(try await box.belfry("access", "add", "laptop", "--person", "Zoë Müller").isDone)
    #expect(try await box.belfry("access", "list").output.contains(#/laptop +read +Zoë Müller +never\n/#))
    for person in ["", "a\nb", String(repeating: "a", count: 201)] {
      #expect(try await box.belfry("access", "link", "--person", person).status == 64, "\(person)")
    }
  }

  @Test("a token and a session are one of the config's people")
  func knownPeople() async throws {
    try box.write(Sandbox.defaultConfig + "people: { anna: { sinks: [out] } }\n", to: "belfry.yaml")
    #expect(try await box.belfry("access", "add", "laptop", "--person", "anna").isDone)
    let link = try await box.belfry("access", "link", "--person", "Anna")
    let token = try await box.belfry("access", "add", "phone", "--person", "Anna")
    for refused in [link, token] {
      #expect(refused.status == 66 && refused.messages.contains("did you mean 'anna'?"), "\(refused)")
    }
    #expect(try await box.belfry("access", "list").output.split(separator: " ").contains("anna"))
  }

  @Test("a sign-in link begins as browsers reach the web face, and who cannot is told")
  func links() async throws {
    let link = try await box.belfry("access", "link")
    #expect(link.output.wholeMatch(of: #/http://127\.0\.0\.1:8787/sign-in/[\w-]{43}\n/#) != nil, "\(link)")
    try box.write(
      Sandbox.defaultConfig + "web: { public_url: https://belfry.example.org }\n", to: "belfry.yaml")
    let published = try await box.json("access", "link")
    #expect(published.elements?.first?["url"]?.text?.hasPrefix("https://belfry.example.org/sign-in/") == true)
    try box.write(Sandbox.defaultConfig + "web: { listen: unix:/run/belfry.sock }\n", to: "belfry.yaml")
    #expect(try await box.belfry("access", "link").status == 78)
    #expect(try await box.belfry("access", "link", "--scope", "feed").status == 64)
  }
}
