import AnswerTokens
import BelfryEngine
import BelfryTestKit
import Foundation
import HTTPTypes
import SystemThreads
import Testing
import WebAccess

@testable import BelfryWeb

@Suite("The rights that every route asks for")
struct ScopeTableTests {
  /// The status alone: some replies never end.
  private func status(_ route: WebRoute, _ api: APIServer, _ path: String, _ access: String) async throws -> Int {
    let address = api.server.address
    let request =
      "\(route.method.rawValue) \(path) HTTP/1.1\r\nHost: localhost\r\n\(access)If-Match: \"x\"\r\n"
      + "Content-Length: 0\r\nConnection: close\r\n\r\n"
    // So many refusals within a minute are held back.
    api.server.time.advance(by: 60)
    let line = try await onThread {
      let connection = try Connection(to: address)
      try connection.send(request)
      return try connection.text(until: "\r\n")
    }
    return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
  }

  private func path(_ route: WebRoute, _ reminder: UUID) -> String {
    guard route.path != "/" else { return "/" }
    return route.path.split(separator: "/").map { part in
      switch part {
      case ":reminder": "/\(reminder.uuidString.lowercased())"
      case ":id" where route.path.hasPrefix("/reminders/"): "/\(reminder.uuidString.lowercased())"
      case ":id": "/1"
      case ":action": route.path.hasPrefix("/api/") ? "/done" : "/1"
      case _ where part.hasPrefix(":"): "/x"
      default: "/\(part)"
      }
    }.joined()
  }

  @Test("none without access, 403 with a narrower scope, and for some lists only what is not of all")
  func walk() async throws {
    let api = try APIServer()
    let reminder = try api.ring(item: 3)
    let routes = api.routes.filter { $0.right != .none }
    #expect(routes.count { $0.path.hasPrefix(APIOperation.base) } > 25)
    let tokens = try AccessScope.allCases.map { ($0, "Authorization: Bearer \(try api.token($0))\r\n") }
    let limited = "Authorization: Bearer \(try api.token(lists: "Home"))\r\n"
    for route in routes {
      let path = path(route, reminder)
      let words: Comment = "\(route.method) \(path)"
      #expect(try await status(route, api, path, "") == 401, words)
      #expect(try await status(route, api, path, "Authorization: Bearer bfy_x\r\n") == 401, words)
      let (needed, isForAll): (AccessScope, Bool) =
        switch route.right {
        case .none: (.read, false)
        case .scope(let scope): (scope, false)
        case .allLists(let scope): (scope, true)
        }
      for (scope, token) in tokens where !scope.includes(needed) {
        #expect(try await status(route, api, path, token) == 403, "\(words) \(scope)")
      }
      let refused = try await status(route, api, path, limited)
      #expect(isForAll ? refused == 403 : ![401, 403].contains(refused), words)
    }
    for route in routes where route.method != .delete {
      for (scope, token) in tokens where scope != .feed {
        let needed: AccessScope? =
          switch route.right {
          case .none: nil
          case .scope(let scope), .allLists(let scope): scope
          }
        guard let needed, scope.includes(needed) else { continue }
        let path = path(route, reminder)
        #expect(
          ![401, 403, 500].contains(try await status(route, api, path, token)), "\(route.method) \(path) \(scope)")
      }
    }
  }

  @Test("what is on another list is not found, exactly as what does not exist")
  func otherLists() async throws {
    let api = try APIServer()
    let reminder = try api.ring(item: 3).uuidString.lowercased()
    let token = try api.token(lists: "Home")
    let digest = try api.server.belfry.store.read(StoreDigest.init)
    let item = #"{"text": "x"}"#
    let requests = [
      ("GET", "/items/3", ""), ("PATCH", "/items/3", item), ("DELETE", "/items/3", ""),
      ("POST", "/items/3/check", ""), ("POST", "/items/3/uncheck", ""), ("POST", "/items/3/snooze", ""),
      ("POST", "/items/3/snooze", #"{"until": "blursday"}"#), ("POST", "/items/3/move", #"{"last": true}"#),
      ("POST", "/items/1/move", #"{"before": 3}"#), ("GET", "/items/3/explain", ""), ("GET", "/items?list=Work", ""),
      ("GET", "/lists/2", ""), ("DELETE", "/lists/2", ""), ("GET", "/lists/2/items", ""),
      ("POST", "/lists/2/items", item), ("DELETE", "/lists/2/items", ""), ("DELETE", "/lists/2/reminder", ""),
      ("PUT", "/lists/2/reminder", #"{"at": "blursday"}"#), ("GET", "/answers?item=3", ""),
      ("POST", "/deliveries/2/retry", ""), ("POST", "/deliveries/2/discard", ""),
      ("POST", "/reminders/\(reminder)/actions/done", ""), ("POST", "/reminders/\(reminder)/actions/nothing", ""),
    ]
    // A reply that a name is free would reveal other lists.
    for path in ["/lists/1", "/lists/2"] {
      let renamed = try await api.send("PATCH", path, #"{"name": "Work"}"#, as: token, "If-Match: *\r\n")
      #expect(renamed.status == 403 && !renamed.body.contains("Work"), "\(path) \(renamed)")
    }
    for (method, hidden, text) in requests {
      let missing = { (words: String) in
        words.replacing(/\/[23]\b|=3|: 3/) { "\($0.output.dropLast())9" }.replacing("Work", with: "Wirk")
          .replacing(reminder, with: "\(UUID())")
      }
      let one = try await api.send(method, hidden, text, as: token, "If-Match: *\r\n")
      let other = try await api.send(method, missing(hidden), missing(text), as: token, "If-Match: *\r\n")
      #expect(one.status == 404 && other.status == 404, "\(method) \(hidden) \(one) \(other)")
      // The bodies differ in the names from the request.
      let name = { (reply: Reply) in reply.body.replacing(/[0-9]+|W[io]rk/, with: "") }
      #expect(name(one) == name(other), "\(method) \(hidden)")
    }
    #expect(try api.server.belfry.store.read(StoreDigest.init) == digest)
  }

  @Test("lists, items, reminders, deliveries and answers of other lists are left out")
  func filtered() async throws {
    let api = try APIServer()
    _ = try api.ring()
    let token = try api.token(lists: "Home")
    let later = #"{"text": "Tea", "due": "18:00", "list": "Home"}"#
    #expect(try await api.send("POST", "/items", later, as: token).status == 201)
    _ = try await api.send("POST", "/lists/2/items", #"{"text": "Hidden", "due": "18:00"}"#, as: try api.token())
    #expect(try await api.send("GET", "/lists", as: token).all("name") == ["Home"])
    #expect(try await api.send("GET", "/items", as: token).all("list").allSatisfy { $0 == "Home" })
    for path in ["/pending", "/plan", "/agenda", "/deliveries"] {
      let lists = try await api.send("GET", path, as: token).all("list")
      #expect(!lists.isEmpty && lists.allSatisfy { $0 == "Home" }, "\(path)")
    }
    for body in [#"{"text": "x", "list": "Work"}"#, #"{"text": "x", "list": "Nowhere"}"#, #"{"text": "x"}"#] {
      let reply = try await api.send("POST", "/items", body, as: token)
      #expect(reply.status == 422 && !reply.body.contains("did you mean 'Work'"), "\(reply)")
    }
    let moving = try await api.send("PATCH", "/items/1", #"{"list": "Work"}"#, as: token, "If-Match: *\r\n")
    #expect(moving.status == 422)
  }
}
