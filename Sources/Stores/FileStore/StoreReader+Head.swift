import BelfryModel
import FoundationEssentials
import MemoryStore

// The part of a file outside its sections.
extension StoreReader {
  /// Reads a field outside the sections.
  mutating func readHead(_ field: StoreHead.Field) throws(FormFault) {
    switch field {
    case .format:
      guard try reader.text(of: field, head) == StoreHead.format else {
        throw reader.fault("format", head, "is not one of Belfry's stores")
      }
    case .version:
      let version = try reader.number(of: field, head)
      guard version >= 1 else { throw reader.fault("version", head, "this number must be at least 1") }
      guard version <= StoreHead.version else { throw FormFault(offset: 0, .newer(version: version)) }
    case .nextID: state.nextItemID = max(state.nextItemID, try reader.number(of: field, head))
    case .nextListID: state.nextListID = max(state.nextListID, try reader.number(of: field, head))
    case .nextDeliveryID: state.nextDeliveryID = max(state.nextDeliveryID, try reader.number(of: field, head))
    case .nextAnswerID: state.nextAnswerID = max(state.nextAnswerID, try reader.number(of: field, head))
    case .nextPersonNumber: state.nextPersonNumber = max(state.nextPersonNumber, try reader.number(of: field, head))
    case .zone: state.plannedZone = isThere(field) ? try reader.text(of: field, head) : nil
    case .sinks: try readSinks()
    case .inboxes: try readInboxes()
    case .people: try readPeople()
    case .requests: try readRequests()
    case .lists, .items, .reminders, .messages, .deliveries, .answers: break
    }
  }

  // A problem is written as two texts.
  private mutating func readSinks() throws(FormFault) {
    guard isThere(.sinks) else { return }
    let texts = try reader.texts(of: .sinks, head)
    for index in stride(from: 0, to: texts.count, by: 2) {
      guard index + 1 < texts.count, let problem = StoreHead.problem(texts[index], reason: texts[index + 1]) else {
        throw reader.fault(
          "sinks", head, "expected an instant, a word and a sink, then a reason, found \(shown(texts[index]))")
      }
      state.problems[problem.sink] = problem
    }
  }

  private mutating func readInboxes() throws(FormFault) {
    guard isThere(.inboxes) else { return }
    let inboxes: [SinkInbox] = try reader.records(of: .inboxes, head)
    for inbox in inboxes where state.inboxes.updateValue(inbox, forKey: inbox.sink) != nil {
      throw reader.fault("inboxes", head, "duplicate inbox of sink \(shown(inbox.sink))")
    }
  }

  private mutating func readPeople() throws(FormFault) {
    guard isThere(.people) else { return }
    let people: [KnownPerson] = try reader.records(of: .people, head)
    var names: Set<[UInt8]> = []
    for person in people {
      if state.people.updateValue(person, forKey: person.number) != nil {
        throw reader.fault("people", head, "duplicate person \(person.number)")
      }
      if !names.insert(Array(person.name.utf8)).inserted {
        throw reader.fault("people", head, "duplicate person \(shown(person.name))")
      }
      state.nextPersonNumber = max(state.nextPersonNumber, person.number + 1)
    }
  }
}

extension StoreReader {
  private mutating func readRequests() throws(FormFault) {
    guard isThere(.requests) else { return }
    for text in try reader.texts(of: .requests, head) {
      guard let request = StoreHead.request(text) else {
        throw reader.fault("requests", head, "expected an instant and a request, found \(shown(text))")
      }
      state.requests[request.id] = request.date
    }
  }
}

extension StoreHead.Field {
  // The other counters can be recovered from the records; item numbers must never be reused, so their counter is
  // required. Files of earlier versions have no answers, inboxes, people and requests.
  var isRequired: Bool {
    ![
      .nextListID, .nextDeliveryID, .nextAnswerID, .nextPersonNumber, .zone, .sinks, .inboxes, .people, .requests,
      .answers,
    ].contains(self)
  }
}
