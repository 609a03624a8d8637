import BelfryTestKit
import Digests
import Foundation
import OrderedJSON
import Testing

@testable import BelfryEngine
@testable import BelfryWeb

@Suite("Pages of the API")
struct PagingTests {
  /// All pages of a path, by the links from one to the next.
  private func pages(_ api: APIServer, _ path: String, _ token: String, _ name: String) async throws -> [[JSONValue]] {
    var (pages, path): ([[JSONValue]], String?) = ([], path)
    while let next = path, pages.count < 20 {
      let reply = try await api.send("GET", next, as: token)
      pages.append(try reply.all(name))
      let link = reply["link"].first?.wholeMatch(of: /<\/api\/v1([^>]+)>; rel="next"/)
      path = link.map { String($0.1) }
      #expect(reply.status == 200 && reply["link"].isEmpty == (link == nil))
    }
    return pages
  }

  @Test("links lead through all items once, also where some come and go meanwhile")
  func items() async throws {
    let api = try APIServer()
    let token = try api.token()
    #expect(try await pages(api, "/items?limit=2&all=true", token, "id") == [[1, 3], [2]])
    #expect(try await pages(api, "/items?limit=1", token, "id") == [[1], [3], [2]])
    #expect(try await pages(api, "/items?limit=3", token, "id") == [[1, 3, 2]])
    #expect(try await pages(api, "/lists?limit=1", token, "name") == [["Home"], ["Work"]])
    let first = try await api.send("GET", "/items?limit=1", as: token)
    let link = try #require(first["link"].first?.firstMatch(of: /v1([^>]+)>/))
    _ = try api.server.belfry.delete([1])
    #expect(try await api.send("GET", String(link.1), as: token).all("id") == [3])
  }

  @Test("reminders of one minute are told apart, though they have one key")
  func ties() async throws {
    let api = try APIServer()
    let token = try api.token()
    for _ in 0..<4 { _ = try await api.send("POST", "/items", #"{"text": "Tea", "due": "9:00"}"#, as: token) }
    for path in ["/pending", "/plan", "/agenda"] {
      let all = try await api.send("GET", path, as: token).all("item_id")
      #expect(all.count == 6)
      for limit in 1...4 {
        let pages = try await pages(api, "\(path)?limit=\(limit)", token, "item_id")
        #expect(pages.flatMap { $0 } == all && pages.dropLast().allSatisfy { $0.count == limit }, "\(path) \(limit)")
      }
    }
  }

  @Test(
    "a cursor is good on its path, for visitors of its rights, and as it was handed out; all others are refused",
    arguments: ["/items", "/lists", "/plan", "/pending", "/agenda", "/deliveries"])
  func sealed(path: String) async throws {
    let api = try APIServer()
    let token = try api.token()
    _ = try api.ring()
    let long = path == "/plan" ? "&until=9999-12-31" : ""
    for place in ["0 100000000", "0 \(Int64.max)", "\(Int64.min) 1", "0 -1", "", " ", "0"] {
      let cursor = Base64URL.encode(Array(place.utf8))
      let reply = try await api.send("GET", "\(path)?cursor=\(cursor)\(long)", as: token)
      #expect(reply.status == 400, "\(place): \(reply)")
    }
    for _ in 0..<2 { _ = try await api.send("POST", "/items", #"{"text": "Tea", "due": "23:00"}"#, as: token) }
    let link = try await api.send("GET", "/items?limit=1", as: token)["link"].first
    let cursor = String(try #require(link?.firstMatch(of: /cursor=([^>&]+)/)).1)
    let mine = try await api.send("GET", "\(path)?cursor=\(cursor)", as: token)
    #expect(mine.status == (path == "/items" ? 200 : 400))
    let other = try api.token(.read)
    #expect(try await api.send("GET", "\(path)?cursor=\(cursor)", as: other).status == 400)
    for index in cursor.indices {
      let changed = cursor.replacingCharacters(in: index...index, with: cursor[index] == "A" ? "B" : "A")
      #expect(try await api.send("GET", "\(path)?cursor=\(changed)", as: token).status == 400)
    }
  }

  @Test("the plan and the explanation of an item are those of the time that is asked for")
  func otherTime() async throws {
    let api = try APIServer()
    let token = try api.token()
    #expect(try await api.send("GET", "/plan", as: token).all("item_id") == [1, 3])
    #expect(try await api.send("GET", "/plan?now=9:30", as: token).all("item_id") == [3])
    let verdict = try await api.send("GET", "/items/1/explain", as: token).json["verdict"]
    let later = try await api.send("GET", "/items/1/explain?now=tomorrow%209am", as: token)
    #expect(try later.status == 200 && later.json["verdict"] != verdict, "\(later)")
    for path in ["/plan?now=", "/plan?now=never", "/items/1/explain?now=x"] {
      #expect(try await api.send("GET", path, as: token).status == 400, "\(path)")
    }
  }

  @Test("deliveries and answers come newest first, each with what --json prints")
  func history() async throws {
    let api = try APIServer()
    let token = try api.token()
    let reminder = try api.ring()
    let path = "/reminders/\(reminder.uuidString.lowercased())/actions/"
    #expect(try await api.send("POST", path + "nothing", as: token).status == 404)
    let deliveries = try await pages(api, "/deliveries?limit=1", token, "item_id")
    #expect(deliveries.flatMap { $0 } == [3, 1])
    for query in ["state=dead", "sink=none", "state=pending&list=Work&sink=none"] {
      #expect(try await api.send("GET", "/deliveries?\(query)", as: token).json == [], "\(query)")
    }
    let lists = try await api.send("GET", "/deliveries", as: token).all("list")
    for list in lists {
      let found = try await api.send("GET", "/deliveries?list=\(list.stringValue ?? "")", as: token).all("list")
      #expect(found == lists.filter { $0 == list })
    }
    #expect(try await api.send("GET", "/deliveries?list=None", as: token).status == 404)
    #expect(try await api.send("GET", "/deliveries?state=lost", as: token).status == 400)
  }
}
