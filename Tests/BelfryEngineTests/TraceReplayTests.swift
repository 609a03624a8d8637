import DaemonModels
import Testing

/// Small traces of daemons that share a sink: a sound one is permitted, a broken one refused at the event that breaks it.
@Suite struct TraceReplayTests {
  private static let sink = "hook"

  /// Two daemons: the first hands its sink over, the second leads and dies, and somebody answers.
  private static let sound: [TraceEvent.Kind] = [
    .joined(member: 1, process: 101),
    .leased(sink: sink, member: 1, term: 1),
    .joined(member: 2, process: 102),
    .led(member: 2, term: 1),
    .claimed(delivery: 1, item: 11, sink: sink, member: 2),
    .claimed(delivery: 2, item: 12, sink: sink, member: 2),
    .claimed(delivery: 3, item: 13, sink: sink, member: 2),
    .begun(delivery: 1, member: 1, term: 1),
    .arrived(delivery: 1),
    .recorded(delivery: 1, isDelivered: true, process: 101),
    .begun(delivery: 2, member: 1, term: 1),
    .answered(item: 12, cancelled: [2]),
    .arrived(delivery: 2),
    .recorded(delivery: 2, isDelivered: true, process: 101),
    .begun(delivery: 3, member: 1, term: 1),
    .unbegun(delivery: 3),
    .leased(sink: sink, member: nil, term: 1),
    .leased(sink: sink, member: 2, term: 2),
    .begun(delivery: 3, member: 2, term: 2),
    .arrived(delivery: 3),
    .ended(process: 102),
    .evicted(member: 2, isOver: false),
    .leased(sink: sink, member: 1, term: 3),
    .led(member: 1, term: 2),
    .lost(delivery: 3),
    .begun(delivery: 3, member: 1, term: 3),
    .arrived(delivery: 3),
    .recorded(delivery: 3, isDelivered: true, process: 101),
    .claimed(delivery: 4, item: 14, sink: sink, member: 1),
    .written(delivery: 5, sink: sink),
    .begun(delivery: 4, member: 1, term: 3),
    .recorded(delivery: 4, isDelivered: false, process: nil),
    .begun(delivery: 4, member: 1, term: 3),
    .arrived(delivery: 4),
    .recorded(delivery: 4, isDelivered: true, process: nil),
    .begun(delivery: 5, member: 1, term: 3),
    .arrived(delivery: 5),
    .recorded(delivery: 5, isDelivered: true, process: 101),
    .left(member: 1),
  ]

  @Test("a sound trace is permitted")
  func permitted() { #expect(Self.finding(in: Self.sound) == nil) }

  @Test("a trace without one of its events is refused, where the others do not do without it", arguments: sound.indices)
  func incomplete(place: Int) {
    var kinds = Self.sound
    // Nobody must answer, note a loss, fail or end; and the message of a daemon that dies need not arrive.
    let isNeeded =
      switch kinds.remove(at: place) {
      case .answered, .lost, .left, .recorded(_, isDelivered: false, _): false
      case .arrived: kinds[place] != .ended(process: 102)
      default: true
      }
    #expect((Self.finding(in: kinds) != nil) == isNeeded)
  }

  /// The places of events that may as well come after their successors.
  private static let free: Set = [1, 4, 5, 6, 9, 11, 13, 19, 20, 22, 23, 27, 28, 29, 34]

  @Test("a trace with two events swapped is refused, if one needs the other", arguments: sound.indices.dropLast())
  func swapped(place: Int) {
    var kinds = Self.sound
    kinds.swapAt(place, place + 1)
    #expect((Self.finding(in: kinds) == nil) == Self.free.contains(place))
  }

  @Test(
    "a trace that breaks a rule is refused, without the rule only by a promise", arguments: DaemonModel.Rule.allCases)
  func broken(rule: DaemonModel.Rule) {
    let kinds = Self.start(3) + Self.events(breaking: rule)
    #expect(Self.finding(in: kinds, every: 1.5)?.reason == Self.reason(for: rule))
    let reason = Self.finding(in: kinds, every: 1.5, without: rule)?.reason
    #expect(reason == nil || DaemonModel.Promise(rawValue: reason ?? "") != nil, "\(reason ?? "")")
  }

  @Test("a request of a process that has ended arrives soon, or not at all")
  func arrivesSoon() {
    let kinds: [TraceEvent.Kind] = [
      .begun(delivery: 1, member: 1, term: 1), .ended(process: 101), .arrived(delivery: 1),
      .evicted(member: 1, isOver: false), .leased(sink: Self.sink, member: 2, term: 2),
      .begun(delivery: 1, member: 2, term: 2), .arrived(delivery: 1),
      .recorded(delivery: 1, isDelivered: true, process: 102),
    ]
    #expect(Self.finding(in: Self.start(1) + kinds, every: 1) == nil)
    #expect(Self.finding(in: Self.start(1) + kinds, every: 3)?.place == Self.start(1).count + 2)
  }

  @Test("a daemon that is stopped goes on where it was, even after an answer")
  func goesOn() {
    func kinds(_ process: Int) -> [TraceEvent.Kind] {
      [
        .begun(delivery: 1, member: 1, term: 1), .stopped(process: process), .answered(item: 11, cancelled: [1]),
        .continued(process: process), .arrived(delivery: 1),
      ]
    }
    #expect(Self.finding(in: Self.start(1) + kinds(101), every: 1.5) == nil)
    let other = Self.finding(in: Self.start(1) + kinds(102), every: 1.5)
    #expect(other?.reason == DaemonModel.Refusal.isTooLate.rawValue)
  }

  @Test("a config that is read again gives a sink its slots once more")
  func reopens() {
    let begun: [TraceEvent.Kind] = (1...3).map { .begun(delivery: $0, member: 1, term: 1) }
    let answered: [TraceEvent.Kind] = (1...3).map { .answered(item: $0 + 10, cancelled: [$0]) }
    let reloaded = Self.start(3) + [.reloaded(process: 101), begun[0]]
    #expect(Self.finding(in: reloaded + [begun[1]] + answered) == nil)
    #expect(Self.finding(in: reloaded + begun[1...])?.place == reloaded.count + 1)
  }

  @Test("a number that was given before is refused")
  func numbers() {
    let start = Self.start(1)
    for again: TraceEvent.Kind in [
      .joined(member: 1, process: 103), .claimed(delivery: 1, item: 12, sink: Self.sink, member: 1),
      .written(delivery: 1, sink: Self.sink),
    ] { #expect(Self.finding(in: start + [again])?.place == start.count) }
  }

  @Test("a term that does not follow is refused", arguments: [0, 2, 3])
  func terms(term: Int) {
    #expect(Self.finding(in: [.joined(member: 1, process: 101), .led(member: 1, term: term)])?.place == 1)
    let leased = TraceEvent.Kind.leased(sink: Self.sink, member: 1, term: term)
    #expect(Self.finding(in: [.joined(member: 1, process: 101), leased])?.place == 1)
    #expect(
      Self.finding(in: Self.start(1) + [.begun(delivery: 1, member: 1, term: term)])?.place == Self.start(1).count)
  }

  /// Two daemons, of which the first leads and has the sink, and deliveries that it has claimed.
  private static func start(_ deliveries: Int) -> [TraceEvent.Kind] {
    [
      .joined(member: 1, process: 101), .joined(member: 2, process: 102), .led(member: 1, term: 1),
      .leased(sink: sink, member: 1, term: 1),
    ] + (1...deliveries).map { .claimed(delivery: $0, item: $0 + 10, sink: sink, member: 1) }
  }

  private static func events(breaking rule: DaemonModel.Rule) -> [TraceEvent.Kind] {
    let evicted = TraceEvent.Kind.evicted(member: 1, isOver: true)
    let taken = TraceEvent.Kind.leased(sink: sink, member: 2, term: 2)
    let begun = TraceEvent.Kind.begun(delivery: 1, member: 1, term: 1)
    let arrived = TraceEvent.Kind.arrived(delivery: 1)
    let recorded = TraceEvent.Kind.recorded(delivery: 1, isDelivered: true, process: 101)
    let answered = TraceEvent.Kind.answered(item: 11, cancelled: [1])
    return switch rule {
    case .takesFree: [taken]
    case .endsUnrenewed: [.evicted(member: 1, isOver: false)]
    case .ends: [begun, .ended(process: 101)]
    case .claimsUnderLead:
      [evicted, .led(member: 2, term: 2), .claimed(delivery: 4, item: 14, sink: sink, member: 1)]
    case .claimsOnce: [begun, arrived, recorded, .claimed(delivery: 4, item: 11, sink: sink, member: 1)]
    case .beginsUnderLease: [evicted, taken, .begun(delivery: 1, member: 1, term: 2)]
    case .beginsPending: [answered, begun]
    case .freeSlots: [begun, .begun(delivery: 2, member: 1, term: 1)]
    case .recordsInTime:
      [
        begun, arrived, .begun(delivery: 2, member: 1, term: 1), .arrived(delivery: 2),
        .begun(delivery: 3, member: 1, term: 1),
      ]
    case .startsInTime: [begun, answered, arrived]
    case .recordsEnded: [begun, recorded]
    case .recordsOwn: [begun, arrived, evicted, taken, .begun(delivery: 1, member: 2, term: 2), recorded]
    case .drains: [begun, arrived, .unbegun(delivery: 1)]
    case .unbegins: [begun, .leased(sink: sink, member: nil, term: 1)]
    case .answersAtOnce: [.answered(item: 11, cancelled: []), .cancelled(delivery: 1)]
    }
  }

  private static func reason(for rule: DaemonModel.Rule) -> String {
    let refusal: DaemonModel.Refusal
    switch rule {
    case .takesFree: refusal = .isHeld
    case .endsUnrenewed: refusal = .isRenewed
    case .claimsUnderLead: refusal = .doesNotLead
    case .claimsOnce: refusal = .isClaimed
    case .beginsUnderLease: refusal = .hasNoLease
    case .beginsPending: refusal = .isNotPending
    case .freeSlots: refusal = .hasNoSlot
    case .recordsInTime: refusal = .isUnrecorded
    case .startsInTime: refusal = .isTooLate
    case .recordsEnded: refusal = .hasNotEnded
    case .recordsOwn: refusal = .isTaken
    case .drains: refusal = .isNotDrained
    case .unbegins: refusal = .isNotUnbegun
    case .answersAtOnce: return "its answer has not cancelled what is pending, and that alone"
    // What nobody takes over is pending in the end.
    case .ends: return DaemonModel.Promise.nothingLost.rawValue
    }
    return refusal.rawValue
  }

  private static func finding(
    in kinds: [TraceEvent.Kind], every seconds: Double = 0.01, without missing: DaemonModel.Rule? = nil
  ) -> TraceReplay.Finding? {
    let events = kinds.enumerated().map { TraceEvent(time: Double($0) * seconds, $1) }
    return TraceReplay.finding(in: events, slots: 1, without: missing)
  }
}
