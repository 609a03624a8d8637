import Foundation
import TestSupport
import Testing

/// Two web faces on different machines, as far as they know, over one store in PostgreSQL. Requests go to one and the other
/// in turn, as behind one address.
@Suite("Web faces over a store in PostgreSQL", .ownThread)
struct PostgresWebTests {
  private static let json = "Content-Type: application/json"
  private static let sameOrigin = "Sec-Fetch-Site: same-origin"

  private let server: PostgresServer
  private let boxes: [Sandbox]

  init() throws {
    let server = try PostgresServer()
    self.server = server
    boxes = try (1...2).map { _ in
      let box = try Sandbox(
        config: """
          time_zone: Europe/Zurich
          store: { type: postgres, url_file: database-url }
          sinks: { out: { type: stdout, format: json } }
          people: { anna: { sinks: [out] }, ben: { sinks: [out] } }
          web: { listen: 127.0.0.1:0, public_url: 'https://belfry.example.org' }
          """)
      try box.write(server.url() + "\n", to: "database-url")
      return box
    }
  }

  private func faces() async throws -> [RunningWebFace] {
    var faces: [RunningWebFace] = []
    for box in boxes { faces.append(try await box.webFace()) }
    return faces
  }

  private func end(_ faces: [RunningWebFace]) async {
    for face in faces { #expect(await face.stop() == .exited(0), "\(face.log)") }
  }

  private func token(_ words: String...) async throws -> String {
    let added = try await boxes[0].run([Programs.belfry, "access", "add"] + words, RunOptions())
    return try #require(
      added.output.firstMatch(of: #/bfy_\S+/#).map { "Authorization: Bearer \($0.output)" }, "\(added)")
  }

  @Test("a session begun at one is known at the other, its link is good once, and its end counts everywhere")
  func sessions() async throws {
    try await boxes[0].belfry("list", "create", "Shop").requireDone()
    let faces = try await faces()
    let link = try await boxes[1].belfry("access", "link", "--person", "anna", "--scope", "edit")
    let path = try #require(link.output.firstMatch(of: #/\/sign-in\/[\w-]{43}/#).map { String($0.output) }, "\(link)")
    #expect(try await faces[1].get(path)?.status == 200)
    let entered = try #require(try await faces[0].post(path, as: .page, headers: [Self.sameOrigin]))
    #expect(entered.status == 303, "\(entered)")
    #expect(try await faces[1].post(path, as: .page, headers: [Self.sameOrigin])?.status == 410)
    let cookie = try #require(entered.fields["set-cookie"]?.split(separator: ";").first.map { "Cookie: \($0)" })
    let headers = [cookie, Self.sameOrigin, Self.json]
    for (number, face) in (faces + faces).enumerated() {
      let added = try await face.post("/api/v1/items", #"{"text": "Thing \#(number)"}"#, headers: headers)
      #expect(added?.status == 201, "\(String(describing: added))")
    }

    let session = try #require(try await boxes[0].json("access", "list").elements?.first)
    #expect(session["person"] == .text("anna") && session["kind"] == .text("session"))
    try await boxes[1].belfry("access", "revoke", try #require(session["name"]?.text)).requireDone()
    for face in faces {
      #expect(try await face.post("/api/v1/items", #"{"text": "Never"}"#, headers: headers)?.status == 401)
    }
    #expect(try await boxes[1].json("show").elements?.count == 4)
    await end(faces)
  }

  @Test("a request under a key takes effect once, at whichever it arrives, and gets one reply")
  func once() async throws {
    try await boxes[0].belfry("list", "create", "Shop").requireDone()
    let (token, faces) = (try await token("phone", "--scope", "edit"), try await faces())
    for number in 1...6 {
      let headers = [token, Self.json, "Idempotency-Key: key \(number)"]
      let replies = try await withThrowingTaskGroup(of: WebReply?.self) { group in
        for face in faces + faces {
          group.addTask { try await face.post("/api/v1/items", #"{"text": "Milk \#(number)"}"#, headers: headers) }
        }
        return try await group.reduce(into: [WebReply?]()) { $0.append($1) }
      }
      #expect(Set(replies.map { $0?.body }).count == 1 && replies.allSatisfy { $0?.status == 201 }, "\(replies)")
      let other = try await faces[1].post("/api/v1/items", #"{"text": "Bread"}"#, headers: headers)
      #expect(other?.status == 422, "\(String(describing: other))")
    }
    let items = try await boxes[1].json("show").elements ?? []
    #expect(items.compactMap { $0["text"]?.text }.sorted() == (1...6).map { "Milk \($0)" })
    await end(faces)
  }

  @Test("two who check one item at once both find it checked, of two edits one counts, and undo is everywhere")
  func writers() async throws {
    try await boxes[0].belfry("add", "Rent", "-l", "Home", "--create", "--due", "2096-12-24 09:00").requireDone()
    let (token, faces) = (try await token("phone", "--scope", "edit"), try await faces())
    let item = "/api/v1/items/1"
    let start = try #require(try await faces[0].send("GET", item, [token]))
    for (method, path, statuses) in [("POST", "\(item)/check", [200, 200]), ("PATCH", item, [200, 412])] {
      let before = try #require(try await faces[0].send("GET", item, [token]))
      let headers = [token, "If-Match: \(before.fields["etag"] ?? "")"] + (method == "PATCH" ? [Self.json] : [])
      let replies = try await withThrowingTaskGroup(of: WebReply?.self) { group in
        for (number, face) in faces.enumerated() {
          let body = method == "PATCH" ? #"{"notes": "by \#(number)"}"# : ""
          group.addTask { try await face.send(method, path, headers, body) }
        }
        return try await group.reduce(into: [WebReply?]()) { $0.append($1) }
      }
      #expect(replies.compactMap { $0?.status }.sorted() == statuses, "\(replies)")
    }
    for face in faces { #expect(try await face.send("POST", "/api/v1/undo", [token])?.status == 200) }
    #expect(try JSON(try #require(try await faces[1].send("GET", item, [token])).body)["is_checked"] == .bool(false))
    #expect(try JSON(start.body)["notes"] == .null)

    var ids: Set<Int64> = [1]
    for face in faces + faces {
      let added = try #require(
        try await face.send("POST", "/api/v1/items", [token, Self.json], #"{"text": "Thing", "list": "Home"}"#))
      let id = try #require(try JSON(added.body)["id"]?.integer)
      #expect(ids.insert(id).inserted, "\(id) was given before")
      try await boxes[0].belfry("delete", "\(id)").requireDone()
    }
    await end(faces)
  }

  @Test("a change at one, by a command or a revoked token is seen on a page of the other at once")
  func live() async throws {
    try await boxes[0].belfry("add", "Rent", "-l", "Home", "--create").requireDone()
    let (token, faces) = (try await token("phone", "--scope", "edit"), try await faces())
    let stream = boxes[1].path("stream")
    let curl = try boxes[1].start(
      bytes: ["curl", "-sS", "-N", "-o", stream, "-H", token, "\(faces[1].url)/api/v1/events"].map { Array($0.utf8) },
      RunOptions())
    try await waitUntil("the stream begins") { boxes[1].text("stream").hasPrefix("id: ") }
    let added = try await faces[0].send(
      "POST", "/api/v1/items", [token, Self.json], #"{"text": "Milk", "list": "Home"}"#)
    #expect(added?.status == 201, "\(String(describing: added))")
    try await waitUntil("the other's change is told") { boxes[1].text("stream").contains("event: change") }
    let length = boxes[1].text("stream").count
    try await boxes[0].belfry("check", "1").requireDone()
    try await waitUntil("the command's change is told") { boxes[1].text("stream").count > length }
    try await boxes[0].belfry("access", "revoke", "phone").requireDone()
    #expect(await curl.end == .exited(0), "the stream of a revoked token ends")
    await end(faces)
  }

  @Test("in a browser behind one address, every step works, whichever it reaches")
  func browser() async throws {
    try await boxes[0].belfry("add", "Rent", "-l", "Home", "--create").requireDone()
    let faces = try await faces()
    let servers = faces.map { "server \($0.url.replacing("http://", with: ""));" }.joined(separator: " ")
    let proxy = try NginxServer { port in
      """
      upstream faces { \(servers) }
      server {
        listen 127.0.0.1:\(port);
        location / {
          proxy_pass http://faces;
          proxy_http_version 1.1;
          proxy_set_header Host $http_host;
          proxy_buffering off;
        }
      }
      """
    }
    let url = proxy.url.replacing("https://", with: "http://")
    for (box, face) in zip(boxes, faces) {
      let config = box.text("belfry.yaml").replacing("https://belfry.example.org", with: url)
      try box.write(config, to: "belfry.yaml")
      face.process.send(SIGHUP)
      try await face.waitForLog("the config was reloaded")
    }
    let link = try await boxes[1].belfry("access", "link", "--person", "anna")
    let path = try #require(link.output.firstMatch(of: #/\/sign-in\/[\w-]{43}/#).map { String($0.output) }, "\(link)")
    let told = try await boxes[0].fixture("two_faces.py", [url, path, try Programs.belfry])
    let text = Dictionary(told.map { ($0["step"]?.text ?? "", $0["text"]?.text ?? "") }) { first, _ in first }
    #expect(text["signed in"]?.contains("anna") == true, "\(told)")
    #expect(text["added"]?.contains("laptop") == true, "\(told)")
    #expect(text["signed in again"]?.contains("anna") == true, "\(told)")
    #expect(text["looked"]?.contains("Rent") == true && text["saw"]?.contains("Milk") == true, "\(told)")
    await end(faces)
  }

  @Test("wrong links are limited over both, and a right one is not")
  func limits() async throws {
    let link = try await boxes[1].belfry("access", "link")
    let path = try #require(link.output.firstMatch(of: #/\/sign-in\/[\w-]{43}/#).map { String($0.output) }, "\(link)")
    let faces = try await faces()
    // By the minute in which each was refused, as the server says.
    var refusals: [String: [Int]] = [:]
    for number in 1...42 {
      let reply = try #require(try await faces[number % 2].get("/sign-in/wrong"))
      refusals[String(reply.fields["date"]?.dropLast(7) ?? ""), default: []].append(reply.status)
    }
    for (minute, statuses) in refusals {
      #expect(statuses.count { $0 == 410 } == min(statuses.count, 20), "\(minute): \(statuses)")
    }
    for face in faces { #expect(try await face.get(path)?.status == 200) }
    await end(faces)
  }
}

extension RunningWebFace {
  /// The reply to a request of a program; `nil` if it did not come whole.
  fileprivate func send(
    _ method: String, _ path: String, _ headers: [String], _ body: String = ""
  ) async throws -> WebReply? {
    let options = ["-X", method] + headers.flatMap { ["-H", $0] } + (body.isEmpty ? [] : ["-d", body])
    return WebReply(
      try await box.run(["curl", "-sSi", "--max-time", "300"] + options + [url + path], RunOptions(isUrgent: true)))
  }
}
