import BelfryEngine
import BelfryModel
import Foundation
import ItemEntry
import OrderedJSON
import Testing

@testable import BelfryWeb

@Suite("The description of the API")
struct DocumentTests {
  private func document(_ api: APIServer) async throws -> JSONValue {
    let reply = try await api.server.get("/api/openapi.json")
    #expect(reply.status == 200 && reply["content-type"] == ["application/json"])
    return try reply.json
  }

  /// Every object in a value.
  private func objects(_ value: JSONValue) -> [JSONObject] {
    switch value {
    case .array(let elements): elements.flatMap(objects)
    case .object(let object): [object] + object.members.flatMap { objects($0.value) }
    default: []
    }
  }

  @Test("everybody may read it; each operation has a name of its own, and each reference something that it names")
  func references() async throws {
    let document = try await document(APIServer())
    #expect(document["openapi"] == "3.1.0")
    let check = SchemaCheck(document: document)
    let all = objects(document)
    let references = all.compactMap { $0["$ref"]?.stringValue }
    #expect(!references.isEmpty && references.allSatisfy { check.target(of: $0) != nil })
    let ids = all.compactMap { $0["operationId"]?.stringValue }
    #expect(ids.count > 25 && Set(ids).count == ids.count)
    for (path, item) in document["paths"]?.objectValue?.members.map({ ($0.key, $0.value) }) ?? [] {
      let names = path.matches(of: /\{(\w+)\}/).map { JSONValue.string(String($0.1)) }
      for operation in item.objectValue?.members.map(\.value) ?? [] {
        let parameters = operation["parameters"]?.arrayValue ?? []
        #expect(parameters.filter { $0["in"] == "path" }.compactMap { $0["name"] } == names, "\(path)")
      }
    }
  }

  @Test("the schema of an item has the fields of its record, and that of a new item those that people write")
  func records() async throws {
    let schemas = try await document(APIServer())["components"]?["schemas"]
    #expect(schemas?["Item"]?["properties"]?.objectValue?.keys == ItemRecord.form.shownNames)
    #expect(schemas?["NewItem"]?["properties"]?.objectValue?.keys == ItemField.allCases.map(\.rawValue))
  }

  @Test("what is replied is as it describes")
  func replies() async throws {
    let api = try APIServer()
    let token = try api.token()
    let check = SchemaCheck(document: try await document(api))
    let reminder = try api.ring()
    _ = try await api.send("PUT", "/lists/1/reminder", #"{"at": "18:00"}"#, as: token, "If-Match: *\r\n")
    let requests: [(String, String, String)] = [
      ("GET", "/lists", ""), ("GET", "/lists/{id}", ""), ("GET", "/lists/{id}/items", ""), ("GET", "/items", ""),
      ("POST", "/items", #"{"text": "New", "due": "18:30", "repeat": "weekly", "notes": "n"}"#),
      ("GET", "/items/{id}", ""), ("GET", "/items/{id}/explain", ""), ("GET", "/pending", ""), ("GET", "/plan", ""),
      ("GET", "/agenda", ""), ("GET", "/deliveries", ""), ("POST", "/items/{id}/snooze", ""),
      ("POST", "/reminders/{reminder}/actions/{action}", ""), ("GET", "/answers", ""), ("GET", "/sinks", ""),
      ("POST", "/answers/{id}/take-back", ""), ("POST", "/items/{id}/check", ""), ("POST", "/undo", ""),
      ("POST", "/redo", ""),
    ]
    for (method, path, body) in requests {
      let real = path.replacing("{id}", with: "1").replacing("{reminder}", with: reminder.uuidString.lowercased())
        .replacing("{action}", with: api.server.belfry.settings.actions.first?.identifier ?? "")
      let reply = try await api.send(method, real, body, as: token)
      let operation = try #require(check.document["paths"]?[path]?[method.lowercased()], "\(path)")
      let content = operation["responses"]?["\(reply.status)"]?["content"]?["application/json"]
      let schema = try #require(content?["schema"], "\(path) \(reply)")
      #expect(try check.faults(reply.json, schema) == [], "\(method) \(path) \(reply.body)")
    }
    let problem = try await api.send("GET", "/items/99", as: token)
    #expect(try check.faults(problem.json, ["$ref": "#/components/schemas/Problem"]) == [])
  }
}
