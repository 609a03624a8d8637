import FoundationEssentials

/// The part of a store's file outside its sections.
package struct StoreHead: Sendable {
  /// The value of `format`, which identifies a store's file.
  package static let format = "belfry-store"
  /// The value of `version` that this program writes. Newer versions are refused.
  package static let version: Int64 = 1

  /// The keys of the file itself.
  package enum Field: Int, CaseIterable, Sendable {
    case format, version, nextID, nextListID, nextDeliveryID, nextAnswerID, nextPersonNumber, zone
    case sinks, inboxes, people, requests
    case lists, items, reminders, messages, deliveries, answers

    fileprivate var name: StaticString {
      switch self {
      case .format: "format"
      case .version: "version"
      case .nextID: "next_id"
      case .nextListID: "next_list_id"
      case .nextDeliveryID: "next_delivery_id"
      case .nextAnswerID: "next_answer_id"
      case .nextPersonNumber: "next_person_number"
      case .zone: "zone"
      case .sinks: "sinks"
      case .inboxes: "inboxes"
      case .people: "people"
      case .requests: "requests"
      case .lists: "lists"
      case .items: "items"
      case .reminders: "reminders"
      case .messages: "messages"
      case .deliveries: "deliveries"
      case .answers: "answers"
      }
    }

    package var key: FieldKey { FieldKey(kind: StoreHead.kind.number, index: rawValue, name: name) }

    /// True if the field is a section of records.
    package var isSection: Bool { rawValue >= Field.lists.rawValue }
  }

  /// The file as a record.
  package static let kind = RecordKind(6, "store", Field.allCases.map(\.name))

  /// The zone and the counters.
  package var counters: StoreCounters

  package let problems: [SinkProblem]
  package let inboxes: [SinkInbox]
  package let people: [KnownPerson]
  /// The times of requests that were carried out, by their identities.
  package let requests: [String: Date]

  package init(
    _ counters: StoreCounters = StoreCounters(), problems: [SinkProblem] = [], inboxes: [SinkInbox] = [],
    people: [KnownPerson] = [], requests: [String: Date] = [:]
  ) {
    (self.counters, self.problems, self.inboxes) = (counters, problems, inboxes)
    (self.people, self.requests) = (people, requests)
  }

  /// The problems of sinks in a file, two texts for each.
  ///
  /// - Throws: ``BelfryError`` `.badInput` for an instant outside the years 0000 to 9999.
  package func sinks() throws(BelfryError) -> [String] {
    var texts: [String] = []
    for problem in problems { texts += try problem.texts() }
    return texts
  }

  /// The problem that two such texts describe; `nil` for any other texts.
  package static func problem(_ text: String, reason: String) -> SinkProblem? { SinkProblem(text, reason: reason) }

  /// The requests in a file, a text for each, oldest first.
  ///
  /// - Throws: as ``sinks()``.
  package func requestTexts() throws(BelfryError) -> [String] {
    var texts: [String] = []
    for (id, date) in requests.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
      texts.append(try LogText(date, id, "").text())
    }
    return texts
  }

  /// The request that such a text describes; `nil` for any other text.
  package static func request(_ text: String) -> (id: String, date: Date)? {
    LogText(text).flatMap { $0.word.isEmpty || !$0.rest.isEmpty ? nil : ($0.word, $0.instant) }
  }

  /// Writes the inboxes of sinks under their key.
  ///
  /// - Throws: ``UnwritableValue`` for a value that the format cannot hold.
  package func writeInboxes(to output: any RecordOutput) throws {
    try RecordsCodec().write(inboxes, Field.inboxes.key, output)
  }

  /// Writes the people under their key.
  ///
  /// - Throws: as ``writeInboxes(to:)``.
  package func writePeople(to output: any RecordOutput) throws {
    try RecordsCodec().write(people, Field.people.key, output)
  }
}

extension RecordReader {
  /// The text of a key of the file itself.
  package func text(of field: StoreHead.Field, _ head: RawRecord) throws(FormFault) -> String {
    try text(present(field, head), field.rawValue)
  }

  /// The texts of a key of the file itself.
  package func texts(of field: StoreHead.Field, _ head: RawRecord) throws(FormFault) -> [String] {
    try texts(present(field, head), field.rawValue)
  }

  /// The records of a key of the file itself.
  package func records<Root: Record & Sendable>(
    of field: StoreHead.Field, _ head: RawRecord
  ) throws(FormFault) -> [Root] {
    try RecordsCodec<Root>().read(present(field, head), field.rawValue, self)
  }

  /// The number of a key of the file itself, at least 0.
  package func number(of field: StoreHead.Field, _ head: RawRecord) throws(FormFault) -> Int64 {
    try NumberCodec<Int64>(range: 0...Int64.max).read(present(field, head), field.rawValue, self)
  }

  private func present(_ field: StoreHead.Field, _ head: RawRecord) throws(FormFault) -> RawValue {
    begin(head.kind)
    let value = head.values[field.rawValue]
    if !value.isPresent { throw missing(field.rawValue, head) }
    return value
  }
}
