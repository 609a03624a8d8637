import BelfryModel
import CivilTime
import FoundationEssentials

/// Everything that a page shows of a reminder, as it was at one moment.
public struct ReminderSheet: Sendable {
  /// An action, with what a press of it would do at that moment.
  public struct Offer: Sendable {
    /// Its place among those that the message offers, from 1.
    public let number: Int
    /// The action, under the stricter of the flags then and now.
    public let action: CategoryAction
    /// The consequence of an action that destroys something, as a sentence.
    public let consequence: String?
    /// The reason why a press would change nothing; `nil` if it would be carried out.
    public let obstacle: String?
  }

  /// The reminder that the sheet is about.
  public let reminder: Reminder
  /// The content as it was sent; if nothing was sent, as it would be now.
  public let content: ReminderContent
  /// The seconds between its fire date and its first delivery, or its claim if it was not delivered.
  public let lateSeconds: Int
  /// The actions, in the order of the message.
  public let offers: [Offer]
  /// The answer in force, which no other has replaced or taken back.
  public let answer: Answer?
  /// The name of the person who gave it; `nil` for no one in particular.
  public let person: String?
  /// The end of the day in which the answer in force can be taken back; `nil` if it cannot.
  public let takeBackEnd: Date?
  /// The number of the latest answer to the reminder, 0 for none. A spent token acts only with this number.
  public let latestAnswer: Int64
  /// The reason why it can no longer be checked, such as a deleted item; `nil` while it can.
  public let standing: String?
  /// The zone in which its times are shown.
  public let zone: Zone
  /// The instant at which the store was read; the page's times are relative to it.
  public let now: Date
}

extension Belfry {
  /// Reads what a page shows of a reminder. It changes nothing.
  ///
  /// - Throws: ``BelfryError`` `.notFound` for a reminder that does not exist, or no longer does.
  public func sheet(of reminder: UUID) throws -> ReminderSheet {
    try read { try ReminderSheet($0.view.knownReminder(reminder), $0, settings) }
  }
}

extension ReminderSheet {
  /// True if taking back an answer needs a sign-in, since a link takes back only what it can do.
  public func needsSignIn(toTakeBack answer: Answer) -> Bool {
    answer.operation.isDestructive
      || offers.contains { $0.action.identifier == answer.action && $0.action.needsSignIn }
  }

  fileprivate init(_ reminder: Reminder, _ reading: Reading, _ settings: Settings) throws {
    let (view, planner) = (reading.view, reading.planner)
    let actions = try ReminderActions(of: reminder, in: view, settings)
    let judge = { PressJudge(view: view, planner: planner, reminder: reminder, action: $0) }
    let answer = try view.answerInForce(over: reminder)
    guard let content = try actions.content ?? reading.presentContent(of: reminder, settings) else {
      throw BelfryError(.notFound, "there is no longer a reminder \(reminder.id.text)")
    }
    let checking = judge(CategoryAction(identifier: "", title: "", operation: .check))
    self.init(
      reminder: reminder, content: content, lateSeconds: try view.lateSeconds(reminder),
      offers: try actions.actions.enumerated().map { index, action in
        Offer(
          number: index + 1, action: action, consequence: try view.consequence(of: action, on: reminder),
          obstacle: try judge(action).judge(isAuthenticated: true).obstacle)
      },
      answer: answer, person: try answer.flatMap { try view.personName($0.person) },
      takeBackEnd: answer.flatMap { reading.takeBackEnd(of: $0) },
      latestAnswer: try view.latestAnswer(to: reminder)?.id ?? 0,
      standing: try checking.judge(isAuthenticated: true).obstacle,
      zone: content.timeZone.flatMap { try? planner.zone(.fixed($0)) } ?? checking.zone, now: reading.now)
  }
}

extension Reading {
  fileprivate func takeBackEnd(of answer: Answer) -> Date? {
    let end = answer.date.addingTimeInterval(Belfry.undoSpan)
    return answer.counts && answer.image != nil && now <= end ? end : nil
  }

  // Nil if the item or list was deleted.
  fileprivate func presentContent(of reminder: Reminder, _ settings: Settings) throws -> ReminderContent? {
    let subject: ReminderSubject?
    switch reminder.occurrence.owner {
    case .item(let id): subject = try view.item(id: id).map(ReminderSubject.item)
    case .list(let id):
      subject = try view.list(id: id).map { list in
        .list(list, unchecked: try view.listings(ItemQuery(listID: id)))
      }
    }
    return subject.map {
      ReminderContent(reminder: reminder, subject: $0, settings: settings, badge: 0, planner: planner, now: now)
    }
  }
}

extension StoreView {
  fileprivate func lateSeconds(_ reminder: Reminder) throws -> Int {
    let deliveries = try deliveries(of: reminder.occurrence.owner, state: .delivered)
    let arrived = deliveries.compactMap { delivery, message in
      message.contents.contains { $0.reminderID == reminder.id } ? delivery.closedAt : nil
    }.min()
    let rang = reminder.state == .fired ? reminder.changedAt : reminder.fireDate.date
    return max(0, Int((arrived ?? rang).timeIntervalSince(reminder.fireDate.date)))
  }
}
