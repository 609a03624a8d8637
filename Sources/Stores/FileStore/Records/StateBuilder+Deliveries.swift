import BelfryCore
import Foundation

extension StateBuilder {
  /// Reads a reminder.
  mutating func readReminder(_ record: RawRecord) throws(StoreFault) {
    let reminder = try reminder(record)
    try add(reminder, at: record.range.lowerBound)
    layout.reminders.append(reminder.id, record.source, at: RecordPlace(reminder))
    if let extra = record.extra { layout.extras[.reminder(reminder.id)] = extra }
  }

  /// The reminder that a record says.
  mutating func reminder(_ record: RawRecord) throws(StoreFault) -> Reminder {
    Reminder(
      id: try decoder.uuid(record, ReminderField.id),
      occurrence: Occurrence(
        owner: try owner(record), wallTime: try decoder.wallTime(record, ReminderField.dueLocal),
        lead: try decoder.optionalDuration(record, ReminderField.lead) ?? .zero, kind: try kind(record)),
      fireDate: try decoder.fireDate(record, ReminderField.fireDate),
      state: try decoder.word(record, ReminderField.state, of: Reminder.State.words),
      changedAt: try decoder.instant(record, ReminderField.changedAt))
  }

  private func owner(_ record: RawRecord) throws(StoreFault) -> ReminderOwner {
    let itemID = try decoder.optionalInteger(record, ReminderField.itemID)
    let listID = try decoder.optionalInteger(record, ReminderField.listID)
    guard let owner = ReminderOwner(itemID: itemID, listID: listID) else {
      let names = [ReminderField.itemID, .listID].map { "\"\(decoder.name($0, record))\"" }
      throw .damaged(
        offset: record.range.lowerBound, message: "this reminder must have either \(names[0]) or \(names[1])")
    }
    return owner
  }

  private mutating func kind(_ record: RawRecord) throws(StoreFault) -> Occurrence.Kind {
    guard said(record, ReminderField.kindName) else { return .planned }
    let kind = try decoder.word(record, ReminderField.kindName, of: Occurrence.Kind.words)
    if kind == 0 { return .planned }
    let serial = try decoder.integer(record, ReminderField.serial, in: 0...Occurrence.Kind.largestSerial)
    return kind == 1 ? .snooze(Int(serial)) : .nag(Int(serial))
  }

  /// Reads a message.
  mutating func readMessage(_ record: RawRecord) throws(StoreFault) {
    let id = try decoder.uuid(record, MessageField.id)
    let message = Message(
      id: id, sink: try decoder.symbol(record, MessageField.sink),
      contents: try decoder.contents(record, MessageField.contents),
      createdAt: try decoder.instant(record, MessageField.createdAt),
      domain: try decoder.optionalSymbol(record, MessageField.domain))
    try add(message, at: record.range.lowerBound)
    layout.messages.append(id, record.source, at: RecordPlace(message))
    if let extra = record.extra { layout.extras[.message(id)] = extra }
  }

  /// Reads a delivery; the messages must have been read before.
  mutating func readDelivery(_ record: RawRecord) throws(StoreFault) {
    let id = try decoder.number(record, DeliveryField.id)
    let delivery = Delivery(
      id: id, messageID: try decoder.uuid(record, DeliveryField.messageID),
      sink: try decoder.symbol(record, DeliveryField.sink),
      recipient: try decoder.optionalSymbol(record, DeliveryField.recipient),
      fireDate: try decoder.fireDate(record, DeliveryField.fireDate),
      state: try decoder.word(record, DeliveryField.state, of: Delivery.State.words),
      attempts: Int(try decoder.integer(record, DeliveryField.attempts, in: 0...Int64(Int32.max))),
      permittedFrom: try decoder.instant(record, DeliveryField.permittedFrom),
      nextAttemptAt: try decoder.optionalInstant(record, DeliveryField.nextAttemptAt),
      lastAttemptAt: try decoder.optionalInstant(record, DeliveryField.lastAttemptAt),
      closedAt: try decoder.optionalInstant(record, DeliveryField.closedAt),
      lastError: try decoder.optionalText(record, DeliveryField.lastError))
    try add(delivery, at: record.range.lowerBound)
    try readHistory(of: id, record)
    layout.deliveries.append(id, record.source, at: RecordPlace(delivery))
    if let extra = record.extra { layout.extras[.delivery(id)] = extra }
  }

  private mutating func readHistory(of id: Int64, _ record: RawRecord) throws(StoreFault) {
    guard said(record, DeliveryField.history) else { return }
    var attempts: [AttemptRecord] = []
    for text in try decoder.texts(record, DeliveryField.history) {
      guard let attempt = AttemptRecord(text, of: id) else {
        throw decoder.fault(
          record, DeliveryField.history, "expected an instant and a word such as \"later\", found \(shown(text))")
      }
      attempts.append(attempt)
    }
    state.attempts[id] = attempts.isEmpty ? nil : attempts
  }

  /// Reads the problems of sinks, each of which is two texts.
  mutating func readSinks(_ record: RawRecord) throws(StoreFault) {
    let texts = try decoder.texts(record, HeadField.sinks)
    for index in stride(from: 0, to: texts.count, by: 2) {
      guard index + 1 < texts.count, let problem = SinkProblem(texts[index], reason: texts[index + 1]) else {
        throw decoder.fault(
          record, HeadField.sinks, "expected an instant, a word and a sink, then a reason, found \(shown(texts[index]))"
        )
      }
      state.problems[problem.sink] = problem
    }
  }
}
