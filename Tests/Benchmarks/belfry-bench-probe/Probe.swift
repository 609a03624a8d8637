import AnswerTokens
import BelfryEngine
import BelfryModel
import CivilTime
import ConfigKeys
import Foundation
import PostgresStore
import SQLiteStore
import Synchronization
import WebAccess
import WebPush

/// The work of the C programs, done with Belfry's modules in a process of its own.
enum Probe {
  /// The error of invalid arguments, or of work that was not done.
  struct Failure: Error {
    let message: String
  }

  private static let usage = """
    usage: belfry-bench-probe insert STORE COUNT [CONNECTIONS] | due STORE LIMIT TIMES | delivered STORE SCHEDULED
      | answered STORE | tokens STORE KEYS | subscribe FILE ORIGIN COUNT
    A STORE is an SQLite file, or the URL of a PostgreSQL database.
    """

  /// Does what the words ask for, as in the usage, and returns what to print.
  ///
  /// - Throws: ``Failure``, and errors of the store.
  static func run(_ words: [String]) throws -> String {
    guard words.count > 1 else { throw Failure(message: usage) }
    let store = store(words[1])
    let numbers = words.dropFirst(2).compactMap { Int($0) }
    switch (words[0], words.count - 2, numbers.count) {
    case ("insert", 1, 1): return "\(try insert(numbers[0], into: store))"
    case ("insert", 2, 2): return "\(try insert(numbers[0], into: words[1], connections: numbers[1]))"
    case ("due", 2, 2): return "\(try due(numbers[0], times: max(1, numbers[1]), in: store))"
    case ("delivered", 1, 1): return "\(try delivered(store, scheduled: numbers[0]))"
    case ("answered", 0, 0): return "\(try answered(store))"
    case ("subscribe", 2, 1): return "\(try subscribe(numbers[0], at: words[2], in: SubscriptionFile(path: words[1])))"
    case ("tokens", 1, _): return try tokens(store, KeyRingFile(path: words[2])).joined(separator: "\n")
    default: throw Failure(message: usage)
    }
  }

  private static func store(_ place: String) -> any ItemStore {
    place.hasPrefix("postgresql:")
      ? PostgresStore(url: SecretSource(Secret(place)), schema: "belfry") : SQLiteStore(path: place)
  }

  // The seconds for a number of adds by threads that have each opened the store before.
  private static func insert(_ count: Int, into place: String, connections: Int) throws -> Double {
    let errors = Mutex<[any Error]>([])
    let (ready, go, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    for _ in 0..<connections {
      Thread.detachNewThread {
        let store = store(place)
        func attempt(_ work: () throws -> Void) {
          do { try work() } catch { errors.withLock { $0.append(error) } }
        }
        attempt { _ = try store.read { try $0.counts() } }
        ready.signal()
        go.wait()
        attempt { _ = try insert(count / connections, into: store) }
        done.signal()
      }
    }
    for _ in 0..<connections { ready.wait() }
    let duration = ContinuousClock().measure {
      for _ in 0..<connections { go.signal() }
      for _ in 0..<connections { done.wait() }
    }
    if let error = errors.withLock({ $0.first }) { throw error }
    return duration / .seconds(1)
  }

  // The seconds for a series of use cases, each on disk before the next begins.
  private static func insert(_ count: Int, into store: any ItemStore) throws -> Double {
    let belfry = Belfry(
      store: store, settings: Settings(), time: SystemTimeSource(),
      zones: ZoneDatabase(environment: ProcessInfo.processInfo.environment))
    guard let first = WallTime(parsing: "2038-01-01T00:00") else { throw Failure(message: "no such time") }
    let list = ListChoice("Inbox", createsMissing: true)
    let duration = try ContinuousClock().measure {
      for index in 0..<count {
        let due = WallTime(minutesSinceEpoch: first.minutesSinceEpoch + index)
        _ = try belfry.add([ItemDraft(line: "Item \(index)", due: due)], to: list)
      }
    }
    return duration / .seconds(1)
  }

  // The median time of the due query, in milliseconds.
  private static func due(_ limit: Int, times: Int, in store: any ItemStore) throws -> Double {
    let end = Date(timeIntervalSince1970: 253_402_300_799)
    let samples = try (0..<times).map { _ in
      var found = 0
      let duration = try ContinuousClock().measure {
        found = try store.read { try $0.dueReminders(at: end, limit: limit).count }
      }
      guard found == limit else { throw Failure(message: "\(found) reminders are due where \(limit) should be") }
      return duration / .milliseconds(1)
    }.sorted()
    return (samples[(times - 1) / 2] + samples[times / 2]) / 2
  }

  // Has browsers subscribe at a push service.
  private static func subscribe(_ count: Int, at origin: String, in file: SubscriptionFile) throws -> Int {
    _ = try file.keyForSubscribers()
    for number in 0..<count {
      guard let key = PushKey.make(), let recipient = PushRecipient(publicKey: key.publicKey, secret: randomBytes(16))
      else { throw Failure(message: "the keys of a browser cannot be made") }
      let address = PushSubscription.Address(endpoint: "\(origin)/\(number)", recipient: recipient)
      _ = try file.add(address, called: "Browser \(number)", for: nil, at: SystemTimeSource().now)
    }
    return count
  }

  // The number of reminders recorded as delivered, provided that none has another state, and that as many are to come.
  private static func delivered(_ store: any ItemStore, scheduled: Int) throws -> Double {
    let counts = try store.read { try $0.counts() }
    let delivered = counts.deliveries[.delivered] ?? 0
    guard counts.scheduled == scheduled, counts.deliveries == [.delivered: delivered] else {
      throw Failure(message: "\(counts.scheduled) are scheduled, the deliveries are \(counts.deliveries)")
    }
    return Double(delivered)
  }

  // The number of answers that were carried out.
  private static func answered(_ store: any ItemStore) throws -> Int {
    var count = 0
    try store.read { try $0.forEachAnswer(limit: nil) { count += $0.effect == .done ? 1 : 0 } }
    return count
  }

  // A token of the first action of each reminder that was delivered, as a message that carries links has it.
  private static func tokens(_ store: any ItemStore, _ file: KeyRingFile) throws -> [String] {
    let now = SystemTimeSource().now
    let ring = try file.make(at: now)
    let expiry = TokenExpiry(claim: now, validFor: 604_800, retryMaxAge: 0)
    var tokens: [String] = []
    try store.read { view in
      try view.forEachDelivery(state: .delivered, limit: nil) { _, message in
        for content in message.contents {
          let token = AnswerToken(reminder: content.reminderID, action: 1, person: 0, expiry: expiry)
          tokens.append(ring.sign(token, for: .link))
        }
      }
    }
    return tokens
  }
}
