import BelfryModel
import FoundationEssentials

/// The place of a process among the daemons of a store, until it gives it back or the process ends, however it ends.
///
/// Most stores have one daemon, whose lock is all there is: it leads, and has every sink. Where several share a store,
/// ``part`` says what this one does at the moment.
public protocol DaemonLock: Sendable {
  /// True if a daemon before did not release the lock: it was killed, the machine stopped, or it could not record its
  /// last attempts.
  var wasAbandoned: Bool { get }

  /// The part of this daemon at the moment. Any thread may ask, and it costs little.
  var part: DaemonPart { get }

  /// Says what this daemon is able to do: at its start, and whenever that changes. ``part`` follows from it.
  ///
  /// - Throws: ``BelfryError`` as the store.
  func offer(_ offer: DaemonOffer) throws

  /// Gives sinks of ``DaemonPart/leaving`` to other daemons: nothing of them is under way here any more.
  func giveUp(_ sinks: Set<String>)

  /// Has the other daemons look for work soon.
  func callOthers()

  /// Releases the lock at an orderly end.
  func release()

  /// Gives the lock up as a crash does: the next daemon finds it abandoned.
  func abandon()
}

extension DaemonLock {
  /// Everything: one daemon alone has the store.
  public var part: DaemonPart { DaemonPart() }

  /// Does nothing: it gets everything, whatever it offers.
  public func offer(_ offer: DaemonOffer) {}

  /// Does nothing: there is nobody who could take them.
  public func giveUp(_ sinks: Set<String>) {}

  /// Does nothing: there are no others.
  public func callOthers() {}
}

/// The part that a daemon has among those of its store.
public struct DaemonPart: Hashable, Sendable {
  /// The term under which it leads: it plans, claims, follows up and prunes. It grows with each new leader; `nil` where
  /// another daemon leads.
  public var term: Int64?
  /// The sinks whose deliveries it begins, each with the term of its lease, which grows with each new holder; `nil` for
  /// all of the config.
  public var sinks: [String: Int64]?
  /// The sinks that it begins nothing of any more, and gives up once nothing of them is under way.
  public var leaving: Set<String>
  /// The sinks that other daemons have or lately had: their deliveries are not given up here.
  public var elsewhere: Set<String>
  /// The seconds after which to look for what other daemons left to do; `nil` where there are none.
  public var poll: Double?

  /// The part of a daemon that has its store to itself.
  public init() { (term, sinks, leaving, elsewhere, poll) = (0, nil, [], [], nil) }

  /// The part of a daemon among others.
  public init(
    term: Int64?, sinks: [String: Int64], leaving: Set<String> = [], elsewhere: Set<String> = [], poll: Double
  ) {
    (self.term, self.sinks, self.leaving, self.elsewhere, self.poll) = (term, sinks, leaving, elsewhere, poll)
  }

  /// True if it leads.
  public var leads: Bool { term != nil }

  /// True if it begins the deliveries of a sink.
  public func has(_ sink: String) -> Bool { sinks?.keys.contains(sink) ?? true }
}

/// The abilities of a daemon, as it tells the others of its store.
public struct DaemonOffer: Hashable, Sendable {
  /// The names of the sinks that it can send through.
  public var sinks: Set<String>
  /// Those of them whose messages have links or buttons, which the leader's keys sign.
  public var signed: Set<String>
  /// A digest of the settings that decide when a reminder rings and where it goes. A daemon whose
  /// digest differs from the leader's does not lead while a daemon with the leader's digest lives.
  public var config: String
  /// A digest of the keys that sign links; empty without keys.
  public var keys: String

  /// An offer.
  public init(sinks: Set<String>, signed: Set<String> = [], config: String = "", keys: String = "") {
    (self.sinks, self.signed, self.config, self.keys) = (sinks, signed, config, keys)
  }
}

/// A daemon that lives, as the others of its store see it.
public struct DaemonMember: Hashable, Sendable {
  /// The name of its machine.
  public var host: String
  /// The number of its process there.
  public var process: Int32
  /// The version of its program.
  public var version: String
  /// The time at which it came, by the clock of the store.
  public var since: Date
  /// True if it leads.
  public var leads: Bool
  /// The sinks that it has, by name.
  public var sinks: [String]
  /// True if its config decides as the leader's does.
  public var agrees: Bool
  /// True if it has the keys of the leader.
  public var hasKeys: Bool

  /// A member.
  public init(
    host: String, process: Int32, version: String, since: Date, leads: Bool, sinks: [String], agrees: Bool,
    hasKeys: Bool
  ) {
    (self.host, self.process, self.version, self.since) = (host, process, version, since)
    (self.leads, self.sinks, self.agrees, self.hasKeys) = (leads, sinks, agrees, hasKeys)
  }
}

/// The terms under which deliveries were begun, by delivery id; see ``StoreTransaction/begin(_:at:)``.
public typealias DeliveryBegins = [Int64: Int64]

/// The error of a change that only the leader may make, by a daemon that does not lead any more.
public struct NoLongerLeads: Error {
  /// Another daemon leads, or may soon.
  public init() {}
}

extension NoLongerLeads: CustomStringConvertible {
  /// The error in words.
  public var description: String { "this belfryd no longer leads" }
}

/// The lock of a daemon without a lock: nobody else uses its store.
public struct SoleDaemon: DaemonLock {
  /// True if the daemon before was killed.
  public let wasAbandoned: Bool

  /// - Parameter wasAbandoned: whether the daemon before was killed.
  public init(wasAbandoned: Bool = false) { self.wasAbandoned = wasAbandoned }

  /// Does nothing.
  public func release() {}

  /// Does nothing.
  public func abandon() {}
}

extension StoreTransaction {
  /// Begins those that are pending and due. Nothing is written: the transaction excludes other changes.
  public func begin(_ deliveries: [Int64], at now: Date) throws -> DeliveryBegins {
    let begun = try deliveries.filter { try isAttemptable($0, at: now) }
    return Dictionary(begun.map { ($0, 0) }) { first, _ in first }
  }

  /// All of them: one daemon alone has the store.
  public func holding(_ begins: DeliveryBegins) -> Set<Int64> { Set(begins.keys) }

  /// Does nothing: the daemon's lock proves it.
  public func lead() {}
}
