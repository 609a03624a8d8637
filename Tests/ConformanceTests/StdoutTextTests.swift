import BelfryEngine
import BelfryTestKit
import Testing

/// The lines of standard output for people.
@Suite struct StdoutTextTests {
  @Test("a step says who has not answered, and the news of an answer is a line of its own")
  func escalation() async throws {
    let fixture = try StdoutSinkFixture(format: .text)
    let sink = fixture.makeSink()
    let fired = try Sample.step()
    for message in [fired, Sample.update(of: fired, to: .answered)] {
      #expect(await sink.deliver(Sample.attempt(message)).isDelivered)
    }
    #expect(
      try fixture.lines() == [
        "2026-11-21 08:00  Buy milk  (Groceries)  Anna has not answered since 07:50 (step 2 of 3)",
        "2026-11-21 08:00  'Buy milk' was checked at 08:01: nothing is left to do for you  (Groceries)",
      ])
  }
}
