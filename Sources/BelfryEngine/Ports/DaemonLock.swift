import BelfryModel
import FoundationEssentials

/// The lock of a process that is a daemon of a store, until the process releases it or ends, however it ends.
///
/// Most stores have only one daemon, which leads and has every sink. If several share a store, ``part`` is the present
/// role of this daemon.
public protocol DaemonLock: Sendable {
  /// True if the previous daemon did not release the lock: it was killed, the machine stopped, or it could not record
  /// its last attempts.
  var wasAbandoned: Bool { get }

  /// The present role of this daemon. Any thread may read it, at little cost.
  var part: DaemonPart { get }

  /// Publishes the abilities of this daemon, at its start and whenever they change. ``part`` follows from them.
  ///
  /// - Throws: ``BelfryError`` as the store.
  func offer(_ offer: DaemonOffer) throws

  /// Gives sinks of ``DaemonPart/leaving`` to other daemons, since no delivery of these sinks is in flight here any
  /// more.
  func giveUp(_ sinks: Set<String>)

  /// Asks the other daemons to look for work soon.
  func callOthers()

  /// Releases the lock at an orderly end.
  func release()

  /// Gives the lock up as a crash does, so that the next daemon finds it abandoned.
  func abandon()
}

extension DaemonLock {
  /// The role of a daemon that does not share its store.
  public var part: DaemonPart { DaemonPart() }

  /// Does nothing, since this daemon has every sink, whatever it offers.
  public func offer(_ offer: DaemonOffer) {}

  /// Does nothing, since no other daemon could take them.
  public func giveUp(_ sinks: Set<String>) {}

  /// Does nothing, since there are no other daemons.
  public func callOthers() {}
}

/// The role of a daemon among the daemons of its store.
public struct DaemonPart: Hashable, Sendable {
  /// The ``patience`` of daemons that run all the time, in seconds.
  public static let usualPatience: Double = 600
  /// The ``patience`` of daemons that run one after another, as by `belfry run --once` each day from cron, in seconds.
  public static let lonePatience: Double = 2 * 86_400

  /// The term under which it leads: it plans, claims, follows up and prunes. It grows with each new leader; `nil` if
  /// another daemon leads.
  public var term: Int64?
  /// The sinks whose deliveries it begins, each with the term of its lease, which grows with each new holder; `nil` for
  /// all sinks of the config.
  public var sinks: [String: Int64]?
  /// The sinks of which it begins no more deliveries, and which it gives up once no delivery is in flight.
  public var leaving: Set<String>
  /// The sinks that other daemons have or lately had, so their deliveries are not given up here.
  public var elsewhere: Set<String>
  /// The sinks that no live daemon has, and none has had for ``patience``, so their deliveries are given up.
  public var abandoned: Set<String>
  /// The seconds for which deliveries wait for a daemon that has their sink.
  public var patience: Double
  /// The interval in seconds at which to look for work that other daemons left; `nil` if there are no others.
  public var poll: Double?

  /// The role of a daemon that does not share its store.
  public init() {
    (term, sinks, leaving, elsewhere, abandoned, poll) = (0, nil, [], [], [], nil)
    patience = Self.usualPatience
  }

  /// The role of one of several daemons.
  public init(
    term: Int64?, sinks: [String: Int64], leaving: Set<String> = [], elsewhere: Set<String> = [],
    abandoned: Set<String> = [], patience: Double = DaemonPart.usualPatience, poll: Double
  ) {
    (self.term, self.sinks, self.leaving, self.elsewhere) = (term, sinks, leaving, elsewhere)
    (self.abandoned, self.patience, self.poll) = (abandoned, patience, poll)
  }

  /// True if it leads.
  public var leads: Bool { term != nil }

  /// True if it begins the deliveries of a sink.
  public func has(_ sink: String) -> Bool { sinks?.keys.contains(sink) ?? true }
}

/// The abilities of a daemon, as published to the others of its store.
public struct DaemonOffer: Hashable, Sendable {
  /// The names of the sinks that it can send through.
  public var sinks: Set<String>
  /// The sinks among them whose messages have links or buttons, which the leader's keys sign.
  public var signed: Set<String>
  /// A digest of the settings that decide when a reminder rings and where it goes. A daemon whose digest differs from
  /// the leader's does not lead while a daemon with the leader's digest lives.
  public var config: String
  /// A digest of the keys that sign links; empty without keys.
  public var keys: String

  /// An offer.
  public init(sinks: Set<String>, signed: Set<String> = [], config: String = "", keys: String = "") {
    (self.sinks, self.signed, self.config, self.keys) = (sinks, signed, config, keys)
  }
}

/// A live daemon, as the others of its store see it.
public struct DaemonMember: Hashable, Sendable {
  /// The name of its machine.
  public var host: String
  /// The number of its process there.
  public var process: Int32
  /// The version of its program.
  public var version: String
  /// The time at which it joined, by the clock of the store.
  public var since: Date
  /// True if it leads.
  public var leads: Bool
  /// The sinks that it has, by name.
  public var sinks: [String]
  /// True if its config makes the same decisions as the leader's.
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

/// The error of a change that only the leader may make, if this daemon no longer leads.
public struct NoLongerLeads: Error {
  /// Another daemon leads, or may soon.
  public init() {}
}

extension NoLongerLeads: CustomStringConvertible {
  /// The error in words.
  public var description: String { "this belfryd is no longer the leader" }
}

/// The lock of a daemon that needs no lock, since no other daemon uses its store.
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
  /// Begins the deliveries that are pending and due. Nothing is written, since the transaction excludes other changes.
  public func begin(_ deliveries: [Int64], at now: Date) throws -> DeliveryBegins {
    let begun = try deliveries.filter { try isAttemptable($0, at: now) }
    return Dictionary(begun.map { ($0, 0) }) { first, _ in first }
  }

  /// Returns all of them, since only one daemon uses the store.
  public func holding(_ begins: DeliveryBegins) -> Set<Int64> { Set(begins.keys) }

  /// Does nothing, since the daemon's lock proves that it leads.
  public func lead() {}
}
