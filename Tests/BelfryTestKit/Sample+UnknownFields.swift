import BelfryModel

extension Sample {
  /// Everything, each record with fields that no version of Belfry knows, in turn as JSON and as a property list say them.
  ///
  /// - Throws: as ``everything()``.
  package static func everythingWithUnknownFields() throws -> [StoreRecord] { withUnknownFields(try everything()) }

  package static func withUnknownFields(_ records: [StoreRecord]) -> [StoreRecord] {
    records.enumerated().map { index, record in
      let fields =
        index.isMultiple(of: 2)
        ? #""x-mark":{"a":[null,1.50,-0.0e3]},"caf\u00e9":"\u0001 <&> ]]>","number \#(index)":12345678901234567890"#
        : "<key>x-mark</key><array><data>AAEC</data><date>2026-11-21T08:00:00Z</date><integer>\(index)</integer></array>"
      return with(UnknownFields(text: fields), in: record)
    }
  }

  private static func with(_ unknown: UnknownFields, in record: StoreRecord) -> StoreRecord {
    switch record {
    case .counters(var counters):
      counters.unknown = unknown
      return .counters(counters)
    case .list(var list):
      list.unknown = unknown
      list.reminder?.unknown = unknown
      return .list(list)
    case .item(var item):
      item.unknown = unknown
      return .item(item)
    case .reminder(var reminder):
      reminder.unknown = unknown
      return .reminder(reminder)
    case .message(var message):
      message.unknown = unknown
      return .message(message)
    case .delivery(var delivery):
      delivery.unknown = unknown
      return .delivery(delivery)
    case .answer(var answer):
      answer.unknown = unknown
      return .answer(answer)
    case .inbox(var inbox):
      inbox.unknown = unknown
      return .inbox(inbox)
    case .person(var person):
      person.unknown = unknown
      return .person(person)
    case .attempt, .problem: return record
    }
  }
}
