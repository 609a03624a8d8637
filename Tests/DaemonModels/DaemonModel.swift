/// A model of several daemons that share a store: who leads, who has a sink, what is begun, and what arrives.
///
/// ``apply(_:to:)`` is the whole of it. ``ModelSearch`` takes every step in every order, and ``TraceReplay`` takes those
/// that real programs took.
package struct DaemonModel: Sendable {
  /// A promise that the daemons and the store keep.
  package enum Rule: CaseIterable, Sendable {
    /// The leader and the sinks of a daemon are taken only when its lease has ended.
    case takesFree
    /// A lease ends only if its daemon does not renew it.
    case endsUnrenewed
    /// A lease that is not renewed ends.
    case ends
    /// A claim is committed only while the row of the leader names the daemon.
    case claimsUnderLead
    /// Only a reminder that is scheduled is claimed.
    case claimsOnce
    /// A begin is committed only while the row of the lease names the daemon.
    case beginsUnderLease
    /// Only what is pending is begun.
    case beginsPending
    /// No more is begun than there are free slots.
    case freeSlots
    /// A slot whose outcome is not recorded carries one more attempt, not two.
    case recordsInTime
    /// What was begun starts within the second, or is looked at again.
    case startsInTime
    /// An outcome is recorded only after the attempt.
    case recordsEnded
    /// An outcome is recorded only if nobody else has begun the delivery since.
    case recordsOwn
    /// A sink is given up only when nothing of it is under way.
    case drains
    /// What was begun and is not under way is un-begun before its sink is given up.
    case unbegins
    /// An answer cancels in its own transaction.
    case answersAtOnce
  }

  /// The number of attempts of a sink that may be under way at once.
  package let slots: Int
  /// The rule that is left out; `nil` for none.
  package let missing: Rule?

  package init(slots: Int, without missing: Rule? = nil) { (self.slots, self.missing) = (slots, missing) }

  func has(_ rule: Rule) -> Bool { rule != missing }

  /// A change of the store, or of one daemon.
  package enum Step: Hashable, Sendable {
    /// Its row is added to the members.
    case join(Int)
    case lead(Int)
    case take(Int, sink: Int)
    /// It learns from the rows what it leads and has.
    case learn(Int)
    case claim(Int, Int)
    /// An update of a message that has arrived is written, by whoever answers.
    case write(Int)
    case begin(Int, Int)
    /// It opens its sinks anew; what is under way ends beside them.
    case reopen(Int)
    /// A request goes out and arrives.
    case send(Int, Int)
    /// The request is answered.
    case end(Int, Int)
    case record(Int, Int)
    /// An outcome is recorded after which the delivery is still pending.
    case fail(Int, Int)
    /// It looks again at what it has begun, and finds it answered.
    case look(Int, Int)
    /// An outcome is not recorded, since another daemon has begun the delivery.
    case ignore(Int, Int)
    /// An attempt under an earlier lease counts as lost.
    case lose(Int)
    /// What was begun is forgotten, and its row says so.
    case unbegin(Int, Int)
    case giveUp(Int, sink: Int)
    /// It ends in order.
    case leave(Int)
    case answer(Int)
    /// What is answered is cancelled later: only where ``Rule/answersAtOnce`` is left out.
    case cancel(Int)
    /// A second has gone by since the answer.
    case expire(Int)
    case crash(Int)
    case pause(Int)
    case resume(Int)
    /// Its lease ends.
    case evict(Int)
  }

  /// The reason why a step cannot be taken.
  package enum Refusal: String, Error {
    case cannotAct = "the daemon has ended, or is stopped"
    case isMember = "the daemon is a member already"
    case isNotMember = "the daemon is not a member"
    case isHeld = "another daemon has it, whose lease has not ended"
    case isRenewed = "the lease of a daemon that renews it does not end"
    case doesNotLead = "the daemon does not lead"
    case isClaimed = "its reminder is not scheduled"
    case hasNoLease = "the daemon does not have the sink"
    case isNotPending = "the delivery is not pending"
    case isUnderWay = "the daemon has not recorded its attempt yet"
    case hasNoSlot = "no slot is free"
    case isUnrecorded = "too many outcomes are not recorded"
    case isNotBegun = "the daemon has not begun the delivery"
    case isTooLate = "it was answered more than a second before"
    case hasNotEnded = "the attempt has not been made"
    case isTaken = "another daemon has begun the delivery since"
    case isNotDrained = "an attempt is under way"
    case isNotUnbegun = "a delivery is still begun"
    case isAnswered = "it is answered already"
    case isImpossible = "it changes nothing"
  }

  /// A promise to users.
  package enum Promise: String, Sendable {
    case ledClaims = "a reminder was claimed by a daemon that does not lead"
    case fewRepeats = "more was repeated than the faults explain"
    case fewAtOnce = "more was under way at once than there are slots"
    case inTime = "it was sent later than a second after its answer"
    case ownRecords = "an outcome was recorded while another attempt was under way"
    case knownLosses = "an attempt counts as lost, although no daemon has failed"
    case nothingLost = "a reminder has never arrived"
  }
}
