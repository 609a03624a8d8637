import BelfryTestKit
import Foundation
import Testing

/// Escalations on a fast clock, while the daemon is killed and its sinks fail; two in three are answered.
final class EscalationChaosRun: Sendable {
  /// The size of a run.
  struct Length {
    let escalations: Int
    /// The minutes over which the escalations begin.
    let minutes: Int
    let speed: Int
    /// The least duration of the kills, in seconds.
    let disturbance: Double
    /// The longest time between two kills, in milliseconds.
    let pause: Int

    static let short = Length(escalations: 30, minutes: 1, speed: 30, disturbance: 8, pause: 800)
    static let long = Length(escalations: 500, minutes: 10, speed: 10, disturbance: 120, pause: 2_000)
  }

  /// An escalation to be, and where it will be answered.
  private struct Plan {
    let text: String
    let category: String
    let course: [EscalationHistory.PlannedRing]
    /// The ring after whose arrival it is answered, by its place in the course; `nil` to let it ring.
    var answered: Int?
  }

  // The first step of the second escalation reaches nobody, so its next step comes at once.
  private static let courses = [
    "home": [planned(1, 1, ["hook"], 0)] + [1, 2].map { planned(2, $0, ["mail", "phone"], 1) }
      + [1, 2, 3].map { planned(3, $0, ["hook", "mail", "phone"], 1) },
    "lost": [planned(1, 1, [EscalationHistory.deadSink], 0), planned(2, 1, ["hook"], 0), planned(2, 2, ["hook"], 2)],
  ]

  private static func planned(
    _ step: Int, _ ring: Int, _ sinks: [String], _ distance: Double
  ) -> EscalationHistory.PlannedRing {
    EscalationHistory.PlannedRing(step: step, ring: ring, sinks: sinks, distance: distance)
  }

  let box: Sandbox
  private let length: Length
  private let seed: UInt64
  private let arrivals: ChaosArrivals
  private let plans: [Plan]
  private let clock: QuickClock

  init(_ length: Length, seed: UInt64) async throws {
    (self.length, self.seed) = (length, seed)
    box = try Sandbox()
    arrivals = ChaosArrivals(box.path("collected"))
    var random = SeededGenerator(seed: seed)
    plans = (1...length.escalations).map { number in
      let category = number % 3 == 0 ? "lost" : "home"
      let course = Self.courses[category] ?? []
      let isAnswered = Int.random(in: 0..<3, using: &random) > 0
      return Plan(
        text: "Escalation \(number).", category: category, course: course,
        answered: isAnswered ? Int.random(in: 0..<course.count, using: &random) : nil)
    }
    let box = box
    _ = try box.start(
      bytes: [Programs.python, "-B", Programs.fixture("chaos_collector.py"), "collected", "\(seed)", "1"]
        .map { Array($0.utf8) },
      RunOptions(output: .writing(box.path("ports")), messages: .writing(box.path("collector.log"))))
    try await waitUntil("the collector listens: \(box.text("collector.log"))") { !box.lines("ports").isEmpty }
    let ports = box.lines("ports")[0].split(separator: " ").map(String.init)
    try box.write(Self.config(ports, speed: length.speed), to: "belfry.yaml")
    try await Self.add(plans, over: length.minutes, to: box)
    clock = QuickClock(speed: length.speed)
  }

  /// Lets them run to their ends.
  func run() async throws -> EscalationHistory {
    async let disturbed = kill()
    let answered = try await answer()
    let (kills, daemon) = try await disturbed
    try await waitUntil("all have ended: \(box.text("log.\(kills.count)"))") {
      for words in [["pending"], ["deliveries", "--state", "pending"]] {
        let outcome = try await box.run([Programs.belfry] + words + ["--json"], RunOptions(clock: clock.setting))
        guard outcome.isDone, try outcome.elements.isEmpty else { return false }
      }
      return true
    }
    daemon.send(SIGTERM)
    #expect(await daemon.end == .exited(0), "\(box.text("log.\(kills.count)"))")
    return try await history(kills, answered)
  }

  /// The least number of kills: a busy machine takes seconds for each start.
  private static let leastKills = 5

  // Kills the daemon at random; returns the moments, and the last daemon.
  private func kill() async throws -> (kills: [Double], daemon: ChildProcess) {
    var random = SeededGenerator(seed: seed + 1)
    var kills: [Double] = []
    let end = ContinuousClock.now + .seconds(length.disturbance)
    while true {
      let daemon = try start("\(kills.count)")
      guard ContinuousClock.now < end || kills.count < Self.leastKills else { return (kills, daemon) }
      try await Task.sleep(for: .milliseconds(Int.random(in: 50...length.pause, using: &random)))
      #expect(daemon.isRunning, "it ended by itself: \(box.text("log.\(kills.count)"))")
      kills.append(Date().timeIntervalSince1970)
      daemon.send(SIGKILL)
      #expect(await daemon.end == .signalled(SIGKILL))
    }
  }

  private func start(_ name: String) throws -> ChildProcess {
    try box.start(
      bytes: [Array(try Programs.belfryd.utf8)],
      RunOptions(messages: .writing(box.path("log.\(name)")), clock: clock.setting))
  }
}

// MARK: Answers

extension EscalationChaosRun {
  // Answers each within a minute after the arrival of its ring; returns when the answers were in the store, by text.
  private func answer() async throws -> [String: Double] {
    var waiting = Dictionary(
      uniqueKeysWithValues: plans.compactMap { plan in plan.answered.map { (plan.text, plan.course[$0].description) } })
    var random = SeededGenerator(seed: seed + 2)
    var known = 0
    return try await withThrowingTaskGroup(of: (String, Double).self) { group in
      try await waitUntil("all rang: \(waiting)", within: length.disturbance + 200) {
        let all = try await arrivals.all
        for arrival in all.dropFirst(known) {
          guard let text = arrival.ringing, let data = arrival.body["data"], let step = data["escalation"]?["step"],
            let ring = data["escalation"]?["ring"], let reminder = data["reminder_id"]?.text,
            waiting[text] == "\(step.integer ?? 0).\(ring.integer ?? 0)"
          else { continue }
          waiting[text] = nil
          let action = [ChaosPress.Action.done, .heard][Int.random(in: 0...1, using: &random)]
          let delay = Duration.milliseconds(Int.random(in: 0...60_000, using: &random) / length.speed)
          group.addTask {
            try await Task.sleep(for: delay)
            return (text, try await self.act(reminder, action))
          }
        }
        known = all.count
        return waiting.isEmpty
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  private func act(_ reminder: String, _ action: ChaosPress.Action) async throws -> Double {
    while true {
      let outcome = try await box.belfry(
        "act", reminder, action.identifier, options: RunOptions(clock: clock.setting))
      if outcome.status == 75 { continue }
      try outcome.requireDone()
      return Date().timeIntervalSince1970
    }
  }
}

// MARK: What is known in the end

extension EscalationChaosRun {
  private func history(_ kills: [Double], _ answered: [String: Double]) async throws -> EscalationHistory {
    let items = try #require(try await box.json("show", "--all").elements)
    let numbers = Dictionary(uniqueKeysWithValues: items.map { ($0["text"]?.text ?? "", $0["id"]?.integer ?? 0) })
    var runs: [EscalationHistory.Run] = []
    for plan in plans {
      let explanation = try await box.json("explain", "\(try #require(numbers[plan.text]))")
      let rings = try #require(explanation["reminders"]?.elements).map(Self.ring)
      runs.append(
        EscalationHistory.Run(
          text: plan.text, course: plan.course, answeredAt: answered[plan.text], rings: rings))
    }
    let others = try #require(try await box.json("deliveries").elements)
      .filter { $0["type"] != .text("reminder.fired") }.compactMap { $0["message_id"]?.text }
    return EscalationHistory(
      runs: runs, arrivals: try ChaosRun.Arrival.all(in: box), others: Set(others), kills: kills,
      // Less than the minute between two steps.
      patience: min(3, 45 / Double(length.speed)))
  }

  private static func ring(_ json: JSON) throws -> EscalationHistory.Ring {
    EscalationHistory.Ring(
      step: Int(try #require(json["step"]?.integer)), ring: Int(try #require(json["ring"]?.integer)),
      state: try #require(json["state"]?.text), fireDate: try #require(try json.moment("fire_date")),
      deliveries: try #require(json["deliveries"]?.elements).filter { $0["type"] == .text("reminder.fired") }
        .map { delivery in
          EscalationHistory.Delivery(
            sink: try #require(delivery["sink"]?.text), identity: try #require(delivery["message_id"]?.text),
            state: try #require(delivery["state"]?.text),
            outcomes: try #require(delivery["history"]?.elements).compactMap { $0["outcome"]?.text })
        })
  }
}

// MARK: The start

extension EscalationChaosRun {
  private static func add(_ plans: [Plan], over minutes: Int, to box: Sandbox) async throws {
    let now = Date().timeIntervalSince1970
    for minute in 0..<minutes {
      let due = Date(timeIntervalSince1970: now + Double(minute) * 60).formatted(.iso8601)
      let part = stride(from: minute, to: plans.count, by: minutes).map { plans[$0] }
      for (category, members) in Dictionary(grouping: part, by: \.category) {
        let lines = members.map { "\($0.text)\n" }.joined()
        // By a clock that is behind, what is due now is still in the future.
        let options = RunOptions(input: Data(lines.utf8), clock: "-1h")
        try await box.belfry("add", "-", "--due", due, "--category", category, options: options).requireDone()
      }
    }
  }

  private static func config(_ ports: [String], speed: Int) throws -> String {
    try #require(ports.count == 2)
    let webhooks = ["hook", "phone", EscalationHistory.deadSink].map { name in
      "  \(name): { type: webhook, url: \"http://127.0.0.1:\(ports[0])/\(name)\", timeout: \(2 * speed)s, concurrency: 8 }\n"
    }
    let mail = Sandbox.mailSink("smtp://127.0.0.1:\(ports[1])", more: ", timeout: \(2 * speed)s, concurrency: 8")
    return """
      store: { type: sqlite, path: store.sqlite }
      missed: { policy: all }
      sinks:
      \(webhooks.joined())
        \(mail)
      people:
        anna: { sinks: [hook] }
        ben: { sinks: [phone, mail], address: ben@example.org }
        cleo: { sinks: [\(EscalationHistory.deadSink)] }
      escalations:
        home:
          - { to: [anna] }
          - { after: 1m, to: [ben], every: 1m, times: 5 }
          - { after: 3m, to: [anna, ben], every: 1m, times: 3 }
        lost: [{ to: [cleo] }, { after: 2h, to: [anna], every: 2m, times: 2 }]
      categories: { home: { escalation: home }, lost: { escalation: lost } }
      \(ChaosPress.Action.config)
      """
  }
}
