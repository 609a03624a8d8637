import Foundation
import TestSupport
import Testing

@Suite("The web face behind a proxy")
struct ReverseProxyTests {
  @Test("nginx with the config of the recipe passes on requests, changes as they happen and imports")
  func nginx() async throws {
    let box = try Sandbox()
    let section = "web: { listen: '127.0.0.1:0', public_url: 'https://belfry.example.org' }\n"
    try box.write(Sandbox.defaultConfig + section, to: "belfry.yaml")
    let token = try await box.belfry("access", "add", "phone", "--scope", "edit").output
    try box.write("header = \"Authorization: Bearer \(token.trimmingCharacters(in: .newlines))\"\n", to: "access")
    let face = try await box.webFace()
    let authority = try TestAuthority()
    let identity = try authority.identity("belfry.example.org")
    let recipe = try Checkout.text("Config/recipes/nginx.conf")
      .replacing(/ssl_certificate .*;/, with: "ssl_certificate \(identity.certificate);")
      .replacing(/ssl_certificate_key .*;/, with: "ssl_certificate_key \(identity.key);")
      .replacing("http://127.0.0.1:8787", with: face.url)
    let server = try NginxServer { recipe.replacing("listen 443", with: "listen 127.0.0.1:\($0)") }
    let port = try #require(server.url.split(separator: ":").last)
    let curl =
      "curl -sS -f --cacert \(authority.certificate) --connect-to belfry.example.org:443:127.0.0.1:\(port) -K access"
    let url = "https://belfry.example.org/api/v1"

    // After the first state it adds an item, whose event must not wait in a buffer.
    let events = try await box.shell(
      """
      mkfifo events; \(curl) -N --max-time 300 \(url)/events > events & reader=$!
      exec 3< events; read -r _ <&3
      \(curl) --json '{"text": "Milk"}' \(url)/items -o /dev/null
      grep -m 1 '^event: change' <&3; kill $reader
      """, options: RunOptions(isUrgent: true))
    #expect(events.output == "event: change\n", "\(events)")
    let lines = (1...30_000).map { "Item \($0) of a list that is longer than a megabyte\n" }.joined()
    try box.write(lines, to: "todo.txt")
    let imported = try await box.shell(
      "\(curl) --data-binary @todo.txt -o /dev/null -w '%{http_code}' '\(url)/import?format=todo.txt&list=All&create=true'"
    )
    #expect(imported.output == "200", "\(imported)")
    let shown = try await box.shell("\(curl) --compressed '\(url)/lists' | grep -o '\"items\":30000'")
    #expect(shown.isDone, "\(shown)")
    #expect(await face.stop() == .exited(0))
  }

  @Test("nginx reaches it over a socket of its group, and names the person who asks")
  func socket() async throws {
    let box = try Sandbox()
    let socket = box.path("web.sock")
    let section = """
      people: { anna: { sinks: [out] } }
      web:
        listen: "unix:\(socket)"
        socket_mode: group
        public_url: https://belfry.example.org
        user_header: Remote-User

      """
    try box.write(Sandbox.defaultConfig + section, to: "belfry.yaml")
    let face = try await box.webFace()
    let mode = try FileManager.default.attributesOfItem(atPath: socket)[.posixPermissions] as? Int
    #expect(mode == 0o660)
    let authority = try TestAuthority()
    let identity = try authority.identity("belfry.example.org")
    let recipe = try Checkout.text("Config/recipes/nginx.conf")
      .replacing(/ssl_certificate .*;/, with: "ssl_certificate \(identity.certificate);")
      .replacing(/ssl_certificate_key .*;/, with: "ssl_certificate_key \(identity.key);")
      .replacing("http://127.0.0.1:8787;", with: "\(face.url);\n    proxy_set_header Remote-User anna;")
    let server = try NginxServer { recipe.replacing("listen 443", with: "listen 127.0.0.1:\($0)") }
    let port = try #require(server.url.split(separator: ":").last)
    let host = "belfry.example.org"
    let curl = "curl -sS --cacert \(authority.certificate) --connect-to \(host):443:127.0.0.1:\(port)"
    let status = "-o /dev/null -w '%{http_code} '"

    let told = try await box.shell(
      """
      \(curl) \(status) https://\(host)/api/v1/lists
      \(curl) \(status) -H 'Remote-User: stranger' https://\(host)/api/v1/lists
      \(curl) \(status) --json '{"text": "Milk"}' https://\(host)/api/v1/items
      \(curl) \(status) -H 'Origin: https://\(host)' --json '{"text": "Milk"}' https://\(host)/api/v1/items
      curl -sS \(status) --unix-socket \(socket) -H 'Host: \(host)' http://socket/api/v1/lists
      curl -sS \(status) --unix-socket \(socket) -H 'Host: \(host)' -H 'Remote-User: a' -H 'Remote-User: b' http://socket/
      """)
    #expect(told.output == "200 200 403 201 401 400 ", "\(told)")
    #expect(try await box.ids("show") == [1])
    #expect(await face.stop() == .exited(0) && !FileManager.default.fileExists(atPath: socket))
  }
}
