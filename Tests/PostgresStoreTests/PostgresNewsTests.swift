import BelfryEngine
import BelfryTestKit
import Foundation
import TestSupport
import Testing

/// The changes that other processes are told of.
@Suite struct PostgresNewsTests {
  private let database: TestDatabase

  init() throws { database = try TestDatabase() }

  /// Waits until a source hears of something.
  private func hears(_ source: any ChangeSource) -> Bool {
    for _ in 1...100 {
      var polled = pollfd(fd: source.descriptor, events: Int16(POLLIN), revents: 0)
      poll(&polled, 1, 100)
      if source.takeIn() { return true }
    }
    return false
  }

  @Test("a change is told once it is committed, also before the tables are there, and nothing else is")
  func change() throws {
    let other = try #require(database.store(schema: "other").changeSource())
    #expect(other.takeIn())
    let source = try #require(database.store().changeSource())
    #expect(source.descriptor == -1 && source.takeIn() && source.descriptor >= 0)
    #expect(!source.takeIn())
    let store = database.store()
    try store.addList("here")
    #expect(hears(source) && !source.takeIn())
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try database.store().write { transaction in
        try transaction.addSampleList("never")
        throw Failure()
      }
    }
    _ = try database.store().listNames
    try database.store(schema: "other").addList("elsewhere")
    #expect(hears(other) && !source.takeIn())
  }

  @Test("who may use the web face is told of too")
  func access() throws {
    let source = try #require(database.store().changeSource())
    #expect(source.takeIn())
    let made = try database.store().accessDatabase().write(in: nil) { connection in
      try connection.statement("INSERT INTO secret (name, value) VALUES ('a', 'b')").execute()
    }
    #expect(made == 1)
    #expect(hears(source))
  }

  @Test("after a lost connection, what was missed is assumed to have changed, and what comes is heard")
  func lost() throws {
    let source = try #require(database.store().changeSource())
    #expect(source.takeIn())
    try database.endConnections()
    #expect(hears(source))
    try database.store().addList("here")
    #expect(hears(source))
  }
}
