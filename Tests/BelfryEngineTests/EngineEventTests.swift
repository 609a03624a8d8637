import BelfryEngine
import BelfryModel
import Testing

/// The events that the daemon logs.
@Suite struct EngineEventTests {
  @Test("an error is told in one line, what to do about it behind a semicolon")
  func line() {
    let error = BelfryError(.badInput, "unknown time zone 'X'", hint: "did you mean Y?")
    #expect(Event(.error, error).message == "unknown time zone 'X'; did you mean Y?")
    #expect(Event(.error, BelfryError(.badInput, "no")).message == "no")
  }
}
