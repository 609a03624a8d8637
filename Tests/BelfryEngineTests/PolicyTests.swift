import BelfryTestKit
import Foundation
import Testing
@testable import BelfryEngine
@testable import CivilTime

@Suite struct RetryPolicyTests {
  private func next(
    after attempts: Int, age: Double = 0, retryAfter: Double? = nil, random: Double = 0, maxAge: Double = 86_400
  ) -> Double? {
    RetryPolicy(maxAge: maxAge).nextAttempt(
      afterAttempts: attempts, at: Sample.now, permittedFrom: Sample.now - age,
      retryAfter: retryAfter.map { Sample.now + $0 }, random: random
    )?.timeIntervalSince(Sample.now)
  }

  @Test("attempts follow after 5 s, 30 s, 2 min, 10 min, 30 min, then hourly")
  func schedule() {
    #expect((1...8).map { next(after: $0) } == [5, 30, 120, 600, 1_800, 3_600, 3_600, 3_600])
    #expect(next(after: 1_000_000) == 3_600)
  }

  @Test("jitter adds up to a tenth and never takes away", arguments: 1...7)
  func jitter(attempts: Int) throws {
    let base = try #require(next(after: attempts))
    var previous = base
    for random in [0.25, 0.5, 0.75, 1] {
      let jittered = try #require(next(after: attempts, random: random))
      #expect(jittered > previous)
      #expect(jittered <= base * 1.1 + 0.001)
      previous = jittered
    }
  }

  @Test("an instant that the other side named replaces the next step, jitter and all")
  func retryAfter() {
    #expect(next(after: 1, retryAfter: 90, random: 1) == 90)
    #expect(next(after: 6, retryAfter: 90) == 90)
  }

  @Test("an other side that names this instant or an earlier one is not asked at once", arguments: [0.0, -1, -86_400])
  func retryAfterInThePast(seconds: Double) throws {
    let wait = try #require(next(after: 3, retryAfter: seconds))
    #expect(wait >= 1)
    #expect(wait <= 132)
  }

  @Test("the last attempt is made when the time is over, and none after it")
  func maxAge() {
    #expect(next(after: 5, age: 86_400 - 60) == 60)
    #expect(next(after: 5, age: 86_400 - 1) == 1)
    #expect(next(after: 5, age: 86_400) == nil)
    #expect(next(after: 5, age: 99_999) == nil)
    #expect(next(after: 1, age: 0, maxAge: 3) == 3)
    #expect(next(after: 1, age: 0, retryAfter: 999_999) == 86_400)
  }

  @Test("a delivery that never succeeds is tried about hourly for a day")
  func wholeLife() {
    var now = Sample.now
    var attempts = 1
    var instants = [0.0]
    while let next = RetryPolicy().nextAttempt(
      afterAttempts: attempts, at: now, permittedFrom: Sample.now, retryAfter: nil, random: 0.5)
    {
      now = next
      attempts += 1
      instants.append(now.timeIntervalSince(Sample.now))
    }
    #expect(instants.last == 86_400)
    #expect((27...30).contains(attempts))
    #expect(zip(instants, instants.dropFirst()).allSatisfy { $0 < $1 })
  }
}

@Suite struct MissedPolicyTests {
  private func decide(_ policy: MissedPolicy, seconds late: Double, hasLater: Bool = false) throws -> ClaimDecision {
    policy.decide(fireDate: try Sample.fireDate(), now: Sample.now + late) { hasLater }
  }

  @Test("up to grace late is just late, under every policy", arguments: MissedPolicy.Policy.allCases)
  func withinGrace(policy: MissedPolicy.Policy) throws {
    for late in [0, 0.5, 59, 599, 600] {
      #expect(try decide(MissedPolicy(policy: policy), seconds: late, hasLater: true) == .fire)
    }
  }

  @Test("beyond grace, once rings the latest, all every one, skip none")
  func beyondGrace() throws {
    for (policy, latest, earlier) in [
      (MissedPolicy.Policy.once, ClaimDecision.fire, ClaimDecision.miss), (.all, .fire, .fire), (.skip, .miss, .miss),
    ] {
      #expect(try decide(MissedPolicy(policy: policy), seconds: 600.001) == latest)
      #expect(try decide(MissedPolicy(policy: policy), seconds: 601, hasLater: true) == earlier)
      #expect(try decide(MissedPolicy(policy: policy), seconds: 604_800) == latest)
    }
  }

  @Test("beyond max_age none rings", arguments: MissedPolicy.Policy.allCases)
  func beyondMaxAge(policy: MissedPolicy.Policy) throws {
    #expect(try decide(MissedPolicy(policy: policy), seconds: 604_801) == .miss)
    let short = MissedPolicy(policy: policy, graceSeconds: 60, maxAge: CalendarDuration(days: 0, minutes: 30))
    #expect(try decide(short, seconds: 1_801) == .miss)
  }

  @Test("a reminder not yet due by a stepped clock counts as on time")
  func early() throws {
    #expect(try decide(MissedPolicy(policy: .skip), seconds: -3_600) == .fire)
  }
}
