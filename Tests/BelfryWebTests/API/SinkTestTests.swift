import BelfryTestKit
import Foundation
import OrderedJSON
import Testing

@testable import BelfryWeb

@Suite("Tests of sinks that belfryd makes")
struct SinkTestTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(in: TemporaryFolder.inMemory) }

  @Test("an unknown sink is not found, and nothing is started for it")
  func unknown() async throws {
    let api = try APIServer()
    #expect(try await api.send("POST", "/sinks/mail/test", as: try api.token()).status == 404)
    #expect(try await api.send("GET", "/sinks", as: try api.token(.read)).json == [])
  }
}
