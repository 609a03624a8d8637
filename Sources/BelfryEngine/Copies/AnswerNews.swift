import BelfryModel
import CivilTime
import FoundationEssentials

/// Sends a separate message about the answer to everyone whom the escalation reached, unless their sink can change what
/// it sent, or the answer was theirs.
///
/// Each is notified once. Quiet hours hold such a message, since it may make a sound.
struct AnswerNews {
  let transaction: any StoreTransaction
  let states: PresentStates
  let settings: Settings

  private var now: Date { states.now }

  /// Notifies of the end of an item's or list's reminders.
  ///
  /// - Parameter deliveries: all deliveries about the item or list, oldest first.
  func run(_ deliveries: [(Delivery, Message)]) throws {
    var (known, told): (Set<UUID>, Set<Receiver>) = ([], [])
    for (_, message) in deliveries.reversed() where concerns(message) && known.insert(message.id).inserted {
      // A later message to the same receiver replaces the earlier ones.
      try tell(message, Copies(of: message, among: deliveries)) { recipient in
        told.insert(Receiver(sink: message.sink, recipient: recipient)).inserted
      }
    }
  }

  /// Notifies of the end of one message's reminders.
  ///
  /// - Parameter isLast: returns whether this is the latest message to a recipient; only then is the recipient
  ///   notified.
  func tell(_ message: Message, _ copies: Copies, isLast: (String?) -> Bool = { _ in true }) throws {
    guard concerns(message) else { return }
    let reached = try copies.deliveries.filter(transaction.isReached).map(\.recipient).filter(isLast)
    let number = copies.nextNumber
    let present = try states.updates(of: message, number: number)
    let told = try keepNews(in: copies, saying: present)
    let recipients = reached.filter { !told.contains($0) }
    let person = try transaction.personName(message.person)
    let isOwn = person != nil && present.allSatisfy { $0.person == person }
    guard present.areOver, !isOwn, !recipients.isEmpty else { return }
    try transaction.add(
      Message(
        id: ReminderUpdate.id(number: number, of: message.id), sink: message.sink, person: message.person,
        contents: zip(message.contents, present).map { ReminderContent($0, update: $1) }, createdAt: now,
        domain: message.domain),
      recipients: recipients, fireDate: FireDate(now), permittedFrom: permitted(message, person))
  }

  // Discards pending news that are no longer true. Returns the recipients who were notified, or will be.
  private func keepNews(in copies: Copies, saying present: [ReminderUpdate]) throws -> Set<String?> {
    var told: Set<String?> = []
    for (delivery, news) in copies.updates {
      let isRight = present.areOver && news.says(present)
      if try delivery.state == .dead || delivery.state == .pending && isRight || transaction.isReached(delivery) {
        told.insert(delivery.recipient)
      }
      guard delivery.state == .pending, !isRight else { continue }
      if try !transaction.discard(delivery, at: now) { told.insert(delivery.recipient) }
    }
    return told
  }

  private func concerns(_ message: Message) -> Bool {
    message.kind == .fired && message.tellsAnswer && !message.isWithdrawable
      && message.createdAt + Double(settings.answers.validFor) >= now
  }

  private func permitted(_ message: Message, _ person: String?) -> Date {
    let hours = [settings.sinkQuietHours[message.sink], person.flatMap(settings.person)?.quietHours]
    return hours.permitted(.low, from: now, in: states.zone)
  }
}

extension [ReminderUpdate] {
  fileprivate var areOver: Bool { allSatisfy { $0.state == .answered } }
}

/// A recipient of a sink's messages.
private struct Receiver: Hashable {
  let sink: String
  let recipient: String?
}
