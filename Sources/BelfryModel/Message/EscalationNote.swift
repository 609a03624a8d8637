import CivilTime
import FoundationEssentials

/// The place of a message in an escalation, and what happened before it.
public struct EscalationNote: Hashable, Sendable, Record {
  package static let form = RecordForm<EscalationNote>(16, "message's escalation") { fields in
    fields.add("name", \.name, .sharedText)
    fields.add("step", \.step, NumberCodec(range: 1...Int64(EscalationPlace.steps.upperBound)))
    fields.add("of", \.of, NumberCodec(range: 1...Int64(EscalationPlace.steps.upperBound)))
    fields.add("ring", \.ring, NumberCodec(range: 1...Int64(EscalationPlace.rings.upperBound)))
    fields.add("since", \.since, .offsetInstant)
    fields.add("asked", \.asked, .texts)
    fields.add("people", \.people, .texts)
    fields.add("notify_on_answer", \.tellsAnswer, .flag, unless: false)
  }

  /// The name of the escalation in the config.
  public internal(set) var name = ""
  /// The number of the step, from 1.
  public internal(set) var step: Int64 = 1
  /// How many steps the escalation has.
  public internal(set) var of: Int64 = 1
  /// The number of the ring within its step, from 1.
  public internal(set) var ring: Int64 = 1
  /// The time at which step 1 rang, with the offset of its zone.
  public internal(set) var since = OffsetInstant(.distantPast, in: .utc)
  /// The people and sinks that were asked before, in that order.
  public internal(set) var asked: [String] = []
  /// The recipients that are people.
  public internal(set) var people: [String] = []
  /// True if its recipients are notified of the answer.
  public internal(set) var tellsAnswer = false
  package var unknown: UnknownFields?

  package init() {}

  /// A note with all its fields.
  public init(
    name: String, step: Int, of: Int, ring: Int, since: OffsetInstant, asked: [String], people: [String],
    tellsAnswer: Bool
  ) {
    (self.name, self.step, self.of, self.ring) = (name, Int64(step), Int64(of), Int64(ring))
    (self.since, self.asked, self.people, self.tellsAnswer) = (since, asked, people, tellsAnswer)
  }
}
