import BelfryEngine
import BelfryModel
import BelfryTestKit
import CivilTime
import Foundation
import MemoryStore
import Testing

/// Updates of delivered messages over every store: written by one process, sent by another.
@Suite struct StoreWithdrawalTests {
  private let time = ManualTimeSource(Sample.now)

  private func belfry(_ store: any ItemStore) -> Belfry {
    var settings = Settings()
    settings.timeZone = .named("UTC")
    return Belfry(store: store, settings: settings, time: time, zones: ZoneDatabase(environment: [:]))
  }

  private func daemon(_ store: any ItemStore, _ sink: RecordingSink) throws -> TestDaemon {
    try TestDaemon(belfry(store), sinks: [ActiveSink(name: "phone", sink: sink)])
  }

  private func addRinging(_ store: any ItemStore) throws {
    let due = try #require(WallTime(parsing: "2026-11-21T08:01"))
    let draft = ItemDraft(text: "Milk", due: due, shouldRemind: true)
    _ = try belfry(store).add([draft], to: ListChoice("Groceries", createsMissing: true))
    time.advance(by: 60)
  }

  private func press(_ action: String, on id: Int64 = 1, in store: any ItemStore) throws -> Answer {
    let reminder = try #require(try store.read { try $0.reminders(of: .item(id), at: nil, state: .fired).first })
    let result = try belfry(store).answer(Press(reminder: reminder.id, choice: .identifier(action), channel: .link))
    guard case .answered(let answer, _) = result else { throw Difference("\(result)") }
    return answer
  }

  private func told(_ sink: RecordingSink) -> [String] {
    sink.attempts.compactMap { $0.message.update }.map { "\($0.number) \($0.state.rawValue) \($0.words)" }
  }

  @Test("an answer, its take-back and a check are told by whichever process comes next", arguments: StoreKind.allCases)
  func processes(kind: StoreKind) async throws {
    let fixture = try kind.makeFixture()
    try addRinging(fixture.open())
    let first = RecordingSink(canWithdraw: true)
    try await daemon(fixture.open(), first).tick()
    let fired = try #require(first.attempts.first?.message)
    let answer = try press("done", in: fixture.open())
    // The daemon that sent it has ended; the next one knows it from the store alone, and is killed before it records.
    let second = RecordingSink(canWithdraw: true)
    second.hang()
    let dying = try daemon(fixture.open(), second)
    try await dying.tick(hanging: 1)
    await second.waitForAttempts(1)
    second.release()
    let third = RecordingSink(canWithdraw: true)
    try await daemon(fixture.open(), third).tick()
    #expect(told(third) == ["1 answered checked 'Milk'"])
    #expect(third.attempts.map(\.message) == second.attempts.map(\.message))
    #expect(third.attempts.first?.message.update?.messageID == fired.id)
    _ = try belfry(fixture.open()).takeBack(answer.id)
    let fourth = RecordingSink(canWithdraw: true)
    try await daemon(fixture.open(), fourth).tick()
    #expect(told(fourth) == ["2 open open again"])
    #expect(fourth.attempts.first?.message.contents[0].actions == fired.contents[0].actions)
    _ = try belfry(fixture.open()).setChecked(true, [1])
    let fifth = RecordingSink(canWithdraw: true)
    try await daemon(fixture.open(), fifth).tick()
    #expect(told(fifth) == ["3 answered checked"])
    #expect(try fixture.open().damage() == [])
  }

  @Test("what waits is copied to another store, and told from there", arguments: StoreKind.allCases)
  func copied(kind: StoreKind) async throws {
    let fixture = try kind.makeFixture()
    try addRinging(fixture.open())
    try await daemon(fixture.open(), RecordingSink(canWithdraw: true)).tick()
    _ = try press("later", in: fixture.open())
    let copy = MemoryStore()
    try copy.write { transaction in
      try fixture.open().read { view in try view.forEachRecord { try transaction.restore($0) } }
    }
    let sink = RecordingSink(canWithdraw: true)
    try await daemon(copy, sink).tick()
    #expect(told(sink) == ["1 answered snoozed 'Milk' until Sat 21 Nov 2026 08:11 UTC"])
    // The copy knows what its messages show.
    _ = try belfry(copy).setChecked(true, [1])
    try await daemon(copy, sink).tick()
    #expect(told(sink).last == "2 answered checked")
  }

  @Test("a change that fails writes neither the answer nor the update", arguments: StoreKind.allCases)
  func rolledBack(kind: StoreKind) async throws {
    let fixture = try kind.makeFixture()
    try addRinging(fixture.open())
    try await daemon(fixture.open(), RecordingSink(canWithdraw: true)).tick()
    #expect(throws: BelfryError.self) { _ = try belfry(fixture.open()).setChecked(true, [1, 999]) }
    #expect(try fixture.open().read { try $0.deliveries().count } == 1)
    _ = try belfry(fixture.open()).setChecked(true, [1, 1])
    #expect(try fixture.open().read { try $0.deliveries().map(\.state) } == [.pending, .delivered])
  }
}
