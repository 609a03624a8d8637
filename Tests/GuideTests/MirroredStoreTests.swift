import BelfryEngine
import BelfryTestKit
import MemoryStore
import Testing

struct MirroredStoreFixture: StoreFixture {
  private let store = MirroredStore(main: MemoryStore(), mirror: MemoryStore())

  var isDurable: Bool { false }

  func open() -> any ItemStore { store }

  func names() -> [String] { [] }
}

@Suite struct MirroredStoreTests {
  @Test("the guide's store keeps what every store promises", arguments: StoreConformance.cases)
  func keepsPromise(promise: StoreConformance.Case) async throws {
    try await promise.run(MirroredStoreFixture())
  }
}

extension MirroredStoreTests {
  @Test("the mirror holds what the store holds")
  func mirrors() throws {
    let mirror = MemoryStore()
    let store = MirroredStore(main: MemoryStore(), mirror: mirror)
    try store.write { transaction in
      try transaction.addSampleList()
      try transaction.addSampleItem(to: 1)
    }
    #expect(try mirror.read(StoreDigest.init) == store.read(StoreDigest.init))
    #expect(try mirror.read { try $0.items().map(\.text) } == ["Buy milk"])
  }
}
