import BelfryModel
import FoundationEssentials

extension Outbox {
  /// Follows changes of this daemon's role: begins no deliveries of a sink that another daemon has, and takes over the
  /// deliveries of each sink that this daemon has gained.
  ///
  /// - Parameter renews: whether to offer again what this daemon can do now, for example after keys were copied here.
  /// - Returns: true if it leads from now on, and must claim due reminders.
  @discardableResult
  func followPart(renews: Bool = false) throws -> Bool {
    if renews, part.sinks != nil { try lock.offer(DaemonOffer(of: belfry.settings, sinks: sinks)) }
    let (old, new) = (part, lock.part)
    let beginsToLead = new.leads && new.term != old.term
    if old != new {
      let kept = Set((new.sinks ?? [:]).keys).subtracting(new.gained(since: old.sinks ?? [:]))
      part = new
      do {
        try takeOverGained()
        try deliverer.open(belfry, sinks: ownSinks, keeping: kept)
        if beginsToLead { try leader.start(besides: new.elsewhere) }
      } catch {
        followPartAnew()
        throw error
      }
      new.news(since: old).forEach(log)
    }
    let drained = part.leaving.filter { !deliverer.holds($0) }
    if !drained.isEmpty { lock.giveUp(drained) }
    return beginsToLead
  }

  /// Makes the next tick follow the whole role again and open the sinks, after a failure to do so.
  func followPartAnew() { part = DaemonPart(term: nil, sinks: [:], poll: part.poll ?? 0) }

  // Offers the sinks of this daemon to the other daemons, if there may be any.
  func offer(_ belfry: Belfry, _ sinks: [ActiveSink]) throws {
    if lock.part.sinks != nil { try lock.offer(DaemonOffer(of: belfry.settings, sinks: sinks)) }
    part = lock.part
  }

  /// Takes over the deliveries of each sink that this daemon has under a new lease. Under a lease that it had before, for
  /// example after a failed reload, nothing is taken over, and pauses stay.
  func takeOverGained() throws {
    let gained = part.gained(since: takenOver)
    if !gained.isEmpty { try takeOver(gained, isAfterCrash: true) }
    takenOver.merge(part.sinks ?? [:]) { _, new in new }
  }

  /// Takes over the deliveries of sinks from the daemon that had them; `nil` for all sinks.
  func takeOver(_ sinks: Set<String>?, isAfterCrash: Bool) throws {
    if isAfterCrash {
      let count = try belfry.recordLostAttempts(of: self.sinks)
      if count > 0 { log(Event(.warning, "belfryd was killed; \(counted(count, "delivery")) may have been under way")) }
    }
    try belfry.endPauses(of: sinks)
  }
}
