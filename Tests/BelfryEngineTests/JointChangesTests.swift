import BelfryTestKit
import Foundation
import MemoryStore
import Synchronization
import Testing

@testable import BelfryEngine
@testable import BelfryModel

/// Changes that share a transaction.
@Suite struct JointChangesTests {
  private struct Refused: Error {}

  /// A store that counts its commits.
  private final class CountingStore: ItemStore {
    private let store = MemoryStore()
    private let counted = Mutex(0)

    var commits: Int { counted.withLock { $0 } }
    var location: String { store.location }

    func read<Result>(_ body: (any StoreView) throws -> Result) throws -> Result { try store.read(body) }

    func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
      let result = try store.write(body)
      counted.withLock { $0 += 1 }
      return result
    }

    func lockForDaemon() throws -> any DaemonLock { try store.lockForDaemon() }
    func tidy() throws {}
    func info() throws -> StoreInfo { store.info() }
    func damage() throws -> [String] { [] }
  }

  private let store = CountingStore()
  private var fixture = EngineFixture()

  init() { fixture.store = store }

  private func adding(_ text: String, request: String? = nil, then: @escaping () throws -> Void = {})
    -> JointChange<Int64>
  {
    JointChange(request: request) { belfry in
      let change = try belfry.add([ItemDraft(text: text, ItemEdit())], to: ListChoice("Home", createsMissing: true))
      try then()
      return try #require(change.first).listing.item.id
    }
  }

  // As the number that a change gave, or its error.
  private func words(_ outcomes: [Result<Int64, any Error>]) -> [String] {
    outcomes.map { outcome in
      switch outcome {
      case .success(let id): "\(id)"
      case .failure(let error as BelfryError): "\(error.kind)"
      case .failure(let error): "\(type(of: error))"
      }
    }
  }

  private func texts() throws -> [String] { try fixture.belfry.store.read { try $0.items().map(\.text) } }

  @Test("all of them are one commit, and one that fails is undone alone")
  func oneCommit() throws {
    let kept = Mutex<[[Int64]]>([])
    let outcomes = fixture.belfry.together(
      [
        adding("Milk"), adding("Bread") { throw Refused() },
        JointChange { belfry in
          _ = try belfry.add([ItemDraft(text: "Oats", ItemEdit())], to: ListChoice("Home", createsMissing: true))
          _ = try belfry.setChecked(true, [99])
          return 0
        }, adding("Rice"),
      ], keep: { outputs, _ in kept.withLock { $0.append(outputs) } })
    #expect(words(outcomes) == ["1", "Refused", "notFound", "2"])
    #expect(try texts() == ["Milk", "Rice"])
    #expect(store.commits == 1 && kept.withLock { $0 } == [[1, 2]])
  }

  @Test("where none stays, nothing is committed")
  func nothing() throws {
    let failing = adding("Milk") { throw Refused() }
    #expect(words(fixture.belfry.together([failing, failing])) == ["Refused", "Refused"])
    #expect(words(fixture.belfry.together([failing])) == ["Refused"])
    #expect(fixture.belfry.together([JointChange<Int64>]()).isEmpty)
    #expect(try store.commits == 0 && texts().isEmpty)
  }

  @Test("a change that goes on after a failed step has its output, and no part of it stays")
  func hiddenFailure() throws {
    let hiding = JointChange { belfry -> Int64 in
      _ = try belfry.add([ItemDraft(text: "Oats", ItemEdit())], to: ListChoice("Home", createsMissing: true))
      _ = try? belfry.setChecked(true, [99])
      return 7
    }
    #expect(words(fixture.belfry.together([hiding, adding("Milk")])) == ["7", "1"])
    #expect(try texts() == ["Milk"])
  }

  @Test("a request takes effect once, also beside itself, and is noted only where it stays")
  func requests() throws {
    let failing = adding("Milk", request: "a") { throw Refused() }
    #expect(words(fixture.belfry.together([failing, adding("Bread", request: "b")])) == ["Refused", "1"])
    let again = [adding("Milk", request: "a"), adding("Milk", request: "a"), adding("Bread", request: "b")]
    #expect(words(fixture.belfry.together(again)) == ["2", "RequestWasDone", "RequestWasDone"])
    #expect(try texts() == ["Bread", "Milk"])
  }

  @Test("where what they share fails before the commit, each is made alone; a failed commit is not tried again")
  mutating func sharedFailure() throws {
    let tries = Mutex(0)
    let outcomes = fixture.belfry.together([adding("Milk"), adding("Bread")]) { outputs, _ in
      tries.withLock { $0 += 1 }
      if outputs.count > 1 { throw BelfryError(.badInput, "too many") }
    }
    #expect(words(outcomes) == ["1", "2"] && tries.withLock { $0 } == 3)
    for kind in [BelfryError.Kind.storeFailed, .tryAgain] {
      let failing = FailingStore(store, error: BelfryError(kind, "it cannot be written"))
      fixture.store = failing
      #expect(words(fixture.belfry.together([adding("Oats"), adding("Rice")])) == ["\(kind)", "\(kind)"])
      #expect(failing.failedChanges == 1)
    }
    fixture.store = store
    #expect(try texts() == ["Milk", "Bread"])
  }
}
