import BelfryModel

/// A ladder of which at least one ring is scheduled.
struct LadderUnderWay {
  /// One of its rings.
  let occurrence: Occurrence
  /// The ringing that began it; `nil` if the store no longer has it.
  let ringing: Reminder?
  /// Its rings that are scheduled, in no order.
  let scheduled: [LadderRing]
  /// Its later rings that were made.
  let made: [Reminder]

  /// The ladder of one of its rings.
  init(_ occurrence: Occurrence, in view: any StoreView) throws {
    self.occurrence = occurrence
    let known = try view.reminders(of: occurrence.owner, at: occurrence.wallTime, state: nil)
      .filter { $0.occurrence.lead == occurrence.lead }
    let rings = known.filter { $0.place?.ladder == occurrence.place?.ladder }
    scheduled = rings.filter { $0.state == .scheduled }.compactMap { ring in
      ring.place.map { LadderRing(place: $0, fireDate: ring.fireDate) }
    }
    made = rings.filter { $0.state == .fired }
    let ringing = try rings.first.flatMap { try view.reminder(id: view.ring(of: $0)) }
    self.ringing = ringing.flatMap { $0.beginsLadder ? $0 : nil }
  }
}

extension Reminder {
  /// True if it is no repetition of an earlier ringing.
  var beginsLadder: Bool { occurrence.kind == .planned || occurrence.kind.isSnooze }
}
