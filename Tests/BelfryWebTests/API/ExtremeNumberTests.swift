import OrderedJSON
import Testing

@testable import BelfryWeb

@Suite("Extreme numbers")
struct ExtremeNumberTests {
  static let numbers = [
    "0", "-1", "2147483648", "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "1000000000000000000000000000000", "1e309", "0.5", "%D9%A3", "0x10", "00000000000000000000001",
  ]
  private static let methods = ["get", "post", "put", "patch", "delete"]

  @Test(
    "no number in a path, a query or a body is taken for a size: each is refused or does what it says",
    arguments: numbers)
  func operations(number: String) async throws {
    let api = try APIServer()
    let token = try api.token()
    let document = try await api.server.get("/api/openapi.json").json
    let check = SchemaCheck(document: document)
    let paths = try #require(document["paths"]?.objectValue?.members)
    var count = 0
    for (path, item) in paths.map({ ($0.key, $0.value) }) where path != "/events" {
      for method in Self.methods {
        guard let operation = item[method] else { continue }
        let inPath = path.replacing(/\{\w+\}/, with: number)
        let named = (operation["parameters"]?.arrayValue ?? []).filter { $0["in"] == "query" }
        let queries = [""] + named.compactMap { $0["name"]?.stringValue }.map { "?\($0)=\(number)" }
        let json = JSONValue.string(number).sent
        let plain = number.contains("%") || number.contains("x") || number.hasPrefix("00") ? json : number
        let bodies = check.members(ofBodyOf: operation).flatMap { ["{\"\($0)\": \(json)}", "{\"\($0)\": \(plain)}"] }
        let simple = path.replacing(/\{\w+\}/, with: "1")
        let requests =
          queries.map { (inPath + $0, "") } + queries.map { (simple + $0, "") } + bodies.map { (simple, $0) }
        for (target, body) in requests {
          let reply = try await api.send(method.uppercased(), target, body, as: token, "If-Match: *\r\n")
          #expect((200..<500).contains(reply.status), "\(method) \(target) \(body): \(reply)")
          count += 1
        }
      }
    }
    #expect(count > 100)
  }

  @Test("nor is any in the query of a page", arguments: numbers)
  func pages(number: String) async throws {
    let fixture = try PageFixture()
    try fixture.add(["Milk"], due: "2026-11-22T09:00")
    let visitor = try fixture.visitor()
    let names = ["at", "before", "date", "delivery", "item", "list", "page", "view", "show", "done", "state", "order"]
    for path in ["/", "/lists/1", "/items/1", "/search", "/agenda", "/deliveries", "/answers", "/sinks", "/config"] {
      for name in names {
        let reply = try await fixture.server.get("\(path)?\(name)=\(number)", visitor)
        #expect((200..<500).contains(reply.status), "\(path) \(name): \(reply)")
      }
    }
    for path in ["/lists/", "/items/", "/deliveries/"] {
      #expect((200..<500).contains(try await fixture.server.get(path + number, visitor).status), "\(path)")
    }
  }
}
