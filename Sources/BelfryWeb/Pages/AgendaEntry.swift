import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials

/// A reminder on a day of an agenda.
struct AgendaEntry: Sendable {
  /// The state of the reminder.
  enum Course: Sendable {
    /// It will ring, through these sinks, with a note of its steps.
    case coming(sinks: [String], note: String?)
    /// Its time has come, and it has not rung yet.
    case waiting
    /// Its time passed while nothing was running.
    case missed
    /// It rang: the places of its messages, and the answers.
    case rang([Outcome])
  }

  /// A delivery or an answer in words.
  struct Outcome: Hashable, Sendable {
    let words: String
    let isBad: Bool
  }

  let instant: Date
  let owner: ReminderOwner
  let text: String
  let list: String
  var course: Course
}

/// The reminders of some days, as far as a visitor may see them.
struct AgendaReader {
  /// The most reminders that are shown one by one.
  static let most = 500

  let sight: Sight
  let span: AgendaSpan
  let settings: Settings
  let sinks: [ActiveSink]
  /// The limit for reminders that rang, and that for missed ones, each in a row; the latest are shown.
  var mostRang = 5_000

  private var reading: Reading { sight.reading }
  private var zone: Zone { reading.planner.floatingZone }
  private var mostPast: Int { span.view == .month ? Reading.agendaLimit : mostRang }

  /// The past, missed, waiting and coming reminders of the span, by time; `hasMore` if there are more than these.
  func entries() throws -> (entries: [AgendaEntry], hasMore: Bool) {
    var owners = try OwnersInSight(sight)
    let (start, end) = span.instants(in: zone)
    let (rang, hasMoreRung) = try rang(from: start, to: end, &owners)
    let (missed, hasMoreMissed) = try missed(from: start, to: end, &owners)
    let (coming, hasMore) = try coming(from: start, to: end, &owners)
    let waiting = try waiting(from: start, to: end, &owners)
    let before = (rang + missed + waiting).sorted { $0.instant < $1.instant }
    return (before + coming, hasMore || hasMoreRung || hasMoreMissed)
  }

  private func coming(
    from start: Date, to end: Date, _ owners: inout OwnersInSight
  ) throws -> (entries: [AgendaEntry], hasMore: Bool) {
    let first = max(start, reading.now)
    guard first < end else { return ([], false) }
    let isMonth = span.view == .month
    let outlook = try reading.preview(
      from: first, until: end.addingTimeInterval(-1), limit: isMonth ? Reading.agendaLimit : Self.most,
      limitOfOne: Reading.agendaLimitOfOne
    ) { try owners.include($0) }
    let hasMore = !outlook.frequent.isEmpty || outlook.hasMore
    guard !isMonth else {
      return (outlook.rings.map { entry($0, .coming(sinks: [], note: nil)) }, hasMore)
    }
    var forecast = Forecast(reading, settings: settings, sinks: sinks)
    let entries = try forecast.entries(of: outlook.rings).map { coming in
      let moment = Moment(zone: zone, now: reading.now)
      let notes = [
        reading.dueWords(coming.reminder, moment), coming.reach.words,
        moment.words(coming.steps, after: coming.reminder.fireDate.date),
      ].compactMap(\.self)
      return entry(
        coming.reminder,
        .coming(sinks: coming.reach.sinks, note: notes.isEmpty ? nil : notes.joined(separator: ", ")))
    }
    return (entries, hasMore)
  }

  private func waiting(from start: Date, to end: Date, _ owners: inout OwnersInSight) throws -> [AgendaEntry] {
    var found: [AgendaEntry] = []
    try reading.view.visitPending(limit: nil) { pending in
      guard pending.fireDate.date < min(end, reading.now), found.count < Self.most else { return .stop }
      if pending.fireDate.date >= start, try owners.include(pending.owner) { found.append(entry(pending, .waiting)) }
      return .next
    }
    return found
  }

  private func entry(_ reminder: some ComingReminder, _ course: AgendaEntry.Course) -> AgendaEntry {
    AgendaEntry(
      instant: reminder.fireDate.date, owner: reminder.owner, text: reminder.text, list: reminder.listName,
      course: course)
  }

  // Newest first: messages are claimed at their fire date or later, so the first one before the span ends the visit.
  private func rang(
    from start: Date, to end: Date, _ owners: inout OwnersInSight
  ) throws -> (entries: [AgendaEntry], hasMore: Bool) {
    var found: [UUID: AgendaEntry] = [:]
    var order: [UUID] = []
    guard start <= reading.now else { return ([], false) }
    let moment = Moment(zone: zone, now: reading.now)
    let most = mostPast
    try reading.view.visitDeliveries(DeliveryQuery()) { delivery, message in
      try Task.checkCancellation()
      guard message.createdAt >= start, order.count <= most else { return .stop }
      guard message.kind == .fired else { return .next }
      let note = delivery.note(moment)
      let outcome = AgendaEntry.Outcome(
        words: "\(delivery.place): \(delivery.state.words)" + (note.isEmpty ? "" : ", \(note)"),
        isBad: delivery.state == .dead)
      for content in message.contents {
        let instant = content.fireDate.date
        guard instant >= start, instant < end, try owners.include(content) else { continue }
        if case .rang(let others)? = found[content.reminderID]?.course {
          found[content.reminderID]?.course = .rang([outcome] + others)
        } else {
          found[content.reminderID] = AgendaEntry(
            instant: instant, owner: content.owner, text: content.text, list: content.listName,
            course: .rang([outcome]))
          order.append(content.reminderID)
        }
      }
      return .next
    }
    let shown = order.prefix(most).compactMap { id in found[id].map { (id, $0) } }
    return (try withAnswers(shown, &owners), order.count > most)
  }

  private func withAnswers(
    _ entries: [(id: UUID, entry: AgendaEntry)], _ owners: inout OwnersInSight
  ) throws -> [AgendaEntry] {
    guard span.view != .month else { return entries.map(\.entry) }
    let people = try reading.view.personNames()
    var answers: [ReminderOwner: [Answer]] = [:]
    return try entries.map { id, entry in
      guard case .rang(let outcomes) = entry.course else { return entry }
      let given = try answers[entry.owner] ?? reading.view.answers(of: entry.owner).filter { try owners.include($0) }
      answers[entry.owner] = given
      var entry = entry
      entry.course = .rang(
        outcomes
          + given.filter { $0.reminderID == id }.map { answer in
            AgendaEntry.Outcome(words: reading.words(answer, in: zone, people: people), isBad: false)
          })
      return entry
    }
  }

  // A missed reminder has no message.
  private func missed(
    from start: Date, to end: Date, _ owners: inout OwnersInSight
  ) throws -> (entries: [AgendaEntry], hasMore: Bool) {
    guard start <= reading.now else { return ([], false) }
    var listings: [Int64: ItemListing?] = [:]
    var entries: [AgendaEntry] = []
    // Each one was noted as missed after its fire date, so none that was noted before `start` is needed.
    for reminder in try reading.view.missedReminders(since: start).reversed() {
      try Task.checkCancellation()
      let (owner, instant) = (reminder.occurrence.owner, reminder.fireDate.date)
      guard case .item(let id) = owner, instant >= start, instant < end, try owners.include(owner) else { continue }
      let listing = try listings[id] ?? reading.view.item(id: id)
      listings[id] = .some(listing)
      guard let listing, !listing.item.isChecked else { continue }
      guard entries.count < mostPast else { return (entries, true) }
      entries.append(
        AgendaEntry(instant: instant, owner: owner, text: listing.item.text, list: listing.listName, course: .missed))
    }
    return (entries, false)
  }
}
