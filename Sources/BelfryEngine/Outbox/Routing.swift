import BelfryModel
import CivilTime
import FoundationEssentials

/// One destination of a message: a sink and, if the message is for one person only, that person.
struct Recipient: Sendable {
  let sink: ActiveSink
  var person: Person?
  /// The person's number in the store; 0 for no one in particular.
  var number: Int64 = 0
  /// The person's address in place of the sink's own recipients.
  var address: String?

  /// The names by which the sink knows its receivers, each with a delivery of its own.
  var receivers: [String?] { address.map { [$0] } ?? sink.sink.receivers(for: person?.name) }

  /// The first instant from `instant` on at which the quiet hours of the sink and of the person hold no message of an
  /// urgency.
  func permitted(_ urgency: Urgency, from instant: Date, in zone: Zone?) -> Date {
    [sink.quietHours, person?.quietHours].permitted(urgency, from: instant, in: zone)
  }
}

/// The recipients that the routes and the steps of escalations choose for each reminder. Cached, since many reminders
/// of one claim share a list.
struct Routing {
  private struct Key: Hashable {
    let list: String
    let category: String?
  }

  private let settings: Settings
  private let sinks: [ActiveSink]
  private let names: RecipientNames
  private let numbers: [String: Int64]
  private let now: Date
  private let zone: Zone
  private var byRoutes: [Key: [Recipient]] = [:]
  private var byNames: [[String]: [Recipient]] = [:]
  private var escalations: [Key: Escalation?] = [:]

  /// The routing of one claim.
  ///
  /// - Parameters:
  ///   - sinks: the enabled sinks.
  ///   - numbers: the numbers of people in the store.
  init(_ settings: Settings, to sinks: [ActiveSink], numbers: [String: Int64], at now: Date, in zone: Zone) {
    (self.settings, self.sinks, self.numbers) = (settings, sinks, numbers)
    (self.now, self.zone) = (now, zone)
    names = RecipientNames(settings, sinks: sinks)
  }

  /// The escalation of the reminders of a list and category; `nil` for none.
  mutating func escalation(forList list: String, category: String?) -> Escalation? {
    guard !settings.escalations.isEmpty else { return nil }
    let key = Key(list: list, category: category)
    if let known = escalations[key] { return known }
    let escalation = settings.escalation(forList: list, category: category)
    escalations[key] = escalation
    return escalation
  }

  /// The recipients of a reminder by the routes.
  mutating func recipients(forList list: String, category: String?) -> [Recipient] {
    let key = Key(list: list, category: category)
    if let known = byRoutes[key] { return known }
    let chosen = settings.routes.names(forList: list, category: category) ?? sinks.map(\.name)
    let found = recipients(of: chosen)
    // In the config's order.
    let ordered = sinks.flatMap { sink in found.filter { $0.sink.name == sink.name } }
    byRoutes[key] = ordered
    return ordered
  }

  /// The reason why the routes lead to no recipient.
  func silence(forList list: String, category: String?) -> UnreachedRing.Reason {
    settings.routes.names(forList: list, category: category).map(silence) ?? .noSink
  }

  /// The reason why names of people and sinks lead to no recipient.
  func silence(of names: [String]) -> UnreachedRing.Reason {
    guard !names.isEmpty else { return .silentRoute }
    let away = self.names.absentees(among: names, at: now, in: zone).map(\.name)
    return away.isEmpty ? .noSink : .away(away, others: away.count < names.count)
  }

  /// The recipients that names of people and sinks stand for, each once. People who are away have none.
  mutating func recipients(of names: [String]) -> [Recipient] {
    if let known = byNames[names] { return known }
    let found = self.names.recipients(of: names, at: now, in: zone).compactMap { named in
      sinks.first { $0.name == named.sink }.map { sink in
        Recipient(
          sink: sink, person: named.person, number: named.person.flatMap { numbers[$0.name] } ?? 0,
          address: named.address)
      }
    }
    byNames[names] = found
    return found
  }
}

extension StoreTransaction {
  /// Adds a message with its deliveries, held until the quiet hours of its sink and person end.
  @discardableResult
  func add(_ message: Message, to recipient: Recipient, fireDate: FireDate, in zone: Zone?) throws -> [Delivery] {
    try add(
      message, recipients: recipient.receivers, fireDate: fireDate,
      permittedFrom: recipient.permitted(message.urgency, from: message.createdAt, in: zone))
  }
}

extension Change {
  /// True if quiet hours would hold a nag or step for this recipient, and already hold an unsent message about this
  /// owner, so that the nag or step would only repeat that message.
  func holds(_ content: ReminderContent, of owner: ReminderOwner, to recipient: Recipient) throws -> Bool {
    let urgency = content.alert.urgency
    guard recipient.permitted(urgency, from: now, in: planner.floatingZone) > now else { return false }
    return try transaction.deliveries(of: owner, state: .pending).contains { delivery, message in
      delivery.sink == recipient.sink.name && message.person == recipient.number && message.kind == .fired
        && delivery.attempts == 0 && delivery.permittedFrom > now
    }
  }
}

extension Change {
  /// The numbers of people in the store; people without a number get one.
  func numbers(of people: [Person]) throws -> [String: Int64] {
    guard !people.isEmpty else { return [:] }
    var numbers = Dictionary(try transaction.people().map { ($0.name, $0.number) }) { first, _ in first }
    for person in people where numbers[person.name] == nil {
      numbers[person.name] = try transaction.addPerson(named: person.name).number
    }
    return numbers
  }
}
