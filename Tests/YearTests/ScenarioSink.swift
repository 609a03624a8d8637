import BelfryEngine
import ConfigKeys
import Foundation
import Synchronization
import Transport

/// A sink that notes what it is sent in a journal, and fails at the times that a scenario names.
struct ScenarioSink: ReminderSink {
  /// A time in which a sink takes nothing.
  struct Fault: Decodable, Hashable {
    enum Kind: String, Decodable { case never, later }

    let begin: Int
    let end: Int
    let kind: Kind

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      begin = try values.decode(Int.self)
      end = try values.decode(Int.self)
      kind = try values.decode(Kind.self)
    }

    fileprivate var outcome: DeliveryOutcome {
      switch kind {
      case .never: .never(reason: "refused")
      case .later: .later(reason: "busy")
      }
    }
  }

  var recipients: [String?] = [nil]
  var grouping = MessageGrouping.none
  var canWithdraw = false
  var journal = AttemptJournal()
  var faults: [Fault] = []
  let concurrency = 1

  func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
    // An update makes no sound, so its fate changes nothing that rings.
    guard attempt.message.kind == .fired else { return .delivered }
    journal.append(attempt)
    let second = Int(attempt.startedAt.timeIntervalSince1970)
    return faults.first { $0.begin <= second && second < $0.end }?.outcome ?? .delivered
  }
}

/// The attempts of all sinks that were not looked at yet.
final class AttemptJournal: Sendable {
  private let attempts = Mutex<[DeliveryAttempt]>([])

  func append(_ attempt: DeliveryAttempt) { attempts.withLock { $0.append(attempt) } }

  /// Removes and returns every attempt.
  func removeAll() -> [DeliveryAttempt] {
    attempts.withLock { attempts in
      defer { attempts = [] }
      return attempts
    }
  }
}

/// The section of a ``ScenarioSink`` in a config.
struct ScenarioSinkPlugin: SinkPlugin {
  static let type = "recorder"
  static let summary = "Notes what it is sent."

  let sink: ScenarioSink

  init?(_ section: inout ConfigSection) {
    var addresses: [String] = []
    var sink = ScenarioSink()
    section.read("to", &addresses, .list(of: .line), "The recipients.")
    section.read("group_by", &sink.grouping, .choice, "The reminders of one minute that share a message.")
    section.read("withdraws", &sink.canWithdraw, .boolean, "Whether its copies can be told of an answer.")
    if !addresses.isEmpty { sink.recipients = addresses }
    self.sink = sink
  }

  func makeSink(_ transports: Transports) throws -> any ReminderSink { sink }
}
