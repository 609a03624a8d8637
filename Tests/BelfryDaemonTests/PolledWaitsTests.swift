import BelfryTestKit
import Foundation
import Testing

@testable import BelfryDaemon

@Suite("The waits of tasks in the daemon's one poll")
struct PolledWaitsTests {
  private let time = ManualTimeSource()
  private let waits: PolledWaits
  /// One element each time that the poll has to begin again.
  private let wakes: AsyncStream<Void>

  init() {
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
    self.wakes = wakes
    waits = PolledWaits(time: time) { wake.yield() }
  }

  /// Begins a wait, which is registered on return.
  private func begin(_ wait: @escaping @Sendable (PolledWaits) async -> Void) async -> Task<Void, Never> {
    let waits = waits
    let task = Task { await wait(waits) }
    var wakes = wakes.makeAsyncIterator()
    await wakes.next()
    return task
  }

  @Test("a wait for an instant asks the poll for it, and ends when it has come")
  func instant() async {
    let (near, far) = (time.now + 30, time.now + 60)
    let later = await begin { await $0.until(far) }
    #expect(waits.waiting.earliest == far)
    let sooner = await begin { await $0.until(near) }
    #expect(waits.waiting.earliest == near && waits.waiting.descriptors.isEmpty)
    waits.resume([])
    #expect(waits.waiting.earliest == near)
    time.now = near
    waits.resume([])
    await sooner.value
    #expect(waits.waiting.earliest == far)
    time.now = far + 1
    waits.resume([])
    await later.value
    #expect(waits.waiting.earliest == nil)
  }

  @Test("after the clock was set back, a wait ends: nobody knows how long is left")
  func setBack() async {
    let instant = time.now + 30
    let task = await begin { await $0.until(instant) }
    time.advance(by: -1)
    waits.resume([])
    await task.value
    #expect(waits.waiting.earliest == nil)
  }

  @Test("a wait for a descriptor ends when the poll found it ready, and each by itself")
  func descriptor() async throws {
    let one = await begin { await $0.ready(7, for: Int16(POLLIN), until: nil) }
    let first = try #require(waits.waiting.descriptors.first)
    #expect(first.awaited.fd == 7 && first.awaited.events == Int16(POLLIN) && waits.waiting.earliest == nil)
    let other = await begin { await $0.ready(7, for: Int16(POLLOUT), until: nil) }
    #expect(waits.waiting.descriptors.count == 2)
    waits.resume([first.id])
    await one.value
    let second = try #require(waits.waiting.descriptors.first)
    #expect(waits.waiting.descriptors.count == 1 && second.awaited.events == Int16(POLLOUT))
    waits.resume([first.id, second.id])
    await other.value
    #expect(waits.waiting.descriptors.isEmpty)
  }

  @Test("a wait for a descriptor ends at its instant, ready or not")
  func limit() async {
    let instant = time.now + 30
    let task = await begin { await $0.ready(7, for: Int16(POLLIN), until: instant) }
    #expect(waits.waiting.earliest == instant)
    time.now = instant
    waits.resume([])
    await task.value
    #expect(waits.waiting.descriptors.isEmpty)
  }

  @Test("a cancelled wait ends at once, and the poll lets go of its descriptor")
  func cancelled() async {
    let task = await begin { await $0.ready(7, for: Int16(POLLIN), until: nil) }
    task.cancel()
    await task.value
    var wakes = wakes.makeAsyncIterator()
    await wakes.next()
    #expect(waits.waiting.descriptors.isEmpty)
  }

  @Test("a task that is cancelled before does not wait")
  func cancelledBefore() async {
    let instant = time.now + 30
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let waits = waits
    let task = Task {
      for await _ in gate {}
      await waits.until(instant)
      await waits.ready(7, for: Int16(POLLIN), until: nil)
    }
    task.cancel()
    open.finish()
    await task.value
    #expect(waits.waiting.earliest == nil && waits.waiting.descriptors.isEmpty)
  }
}
