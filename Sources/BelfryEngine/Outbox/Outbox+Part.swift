import BelfryModel
import FoundationEssentials

extension Outbox {
  /// Follows changes of this daemon's part: begins nothing of a sink that another daemon has, and takes up what the one
  /// before has left of a sink that this one has now.
  ///
  /// - Parameter renews: whether to look for what this daemon is able to do now, such as keys that were copied here.
  /// - Returns: true if it leads from now on, and has to claim what is due.
  @discardableResult
  func followPart(renews: Bool = false) throws -> Bool {
    if renews, part.sinks != nil { try lock.offer(DaemonOffer(of: belfry.settings, sinks: sinks)) }
    let (old, new) = (part, lock.part)
    let beginsToLead = new.leads && new.term != old.term
    if old != new {
      let gained = new.gained(since: old)
      part = new
      do {
        if !gained.isEmpty { try takeOver(gained, isAfterCrash: true) }
        try deliverer.open(belfry, sinks: ownSinks, keeping: Set((new.sinks ?? [:]).keys).subtracting(gained))
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

  /// Has the next tick follow the part as a whole, and with that open the sinks: it could not be done now.
  func followPartAnew() { part = DaemonPart(term: nil, sinks: [:], poll: part.poll ?? 0) }

  // Tells the other daemons, if there may be any, what this one is able to do.
  func offer(_ belfry: Belfry, _ sinks: [ActiveSink]) throws {
    if lock.part.sinks != nil { try lock.offer(DaemonOffer(of: belfry.settings, sinks: sinks)) }
    part = lock.part
  }

  /// Takes up what another daemon has left of sinks; `nil` for all.
  func takeOver(_ sinks: Set<String>?, isAfterCrash: Bool) throws {
    if isAfterCrash {
      let count = try belfry.recordLostAttempts()
      if count > 0 { log(Event(.warning, "belfryd was killed; \(counted(count, "delivery")) may have been under way")) }
    }
    try belfry.endPauses(of: sinks)
  }
}
