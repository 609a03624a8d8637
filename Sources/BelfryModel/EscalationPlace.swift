/// The place of a ringing in the escalation of a reminder.
///
/// Step 1 ring 1 is the reminder itself; every later ringing is an occurrence of its own.
public struct EscalationPlace: Hashable, Sendable {
  /// The numbers that a step may have.
  public static let steps = 1...20
  /// The numbers that a ring of one step may have.
  public static let rings = 1...100
  private static let runs = 1...1 << 24

  /// The number of the run of the escalation for one occurrence and lead time, from 1. Each ringing starts a new run.
  public let run: Int
  /// The number of the step, from 1.
  public let step: Int
  /// The number of the ring within its step, from 1.
  public let ring: Int

  /// The place of one ring, each of its numbers from 1.
  public init(run: Int, step: Int, ring: Int) { (self.run, self.step, self.ring) = (run, step, ring) }

  /// The place of a number; `nil` if no place has this number.
  public init?(number: Int) {
    self.init(run: number >> 12, step: number >> 7 & 31, ring: number & 127)
    guard Self.runs.contains(run), Self.steps.contains(step), Self.rings.contains(ring) else { return nil }
  }

  /// The place as one number, which grows with the run, then the step, then the ring. At most 2³⁶.
  public var number: Int { (run * 32 + step) * 128 + ring }
}
