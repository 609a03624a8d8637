import FoundationEssentials

extension Message: Record {
  package static let form = RecordForm<Message>(4, "message") { fields in
    fields.add("message_id", \.id, .identity)
    fields.add("sink", \.sink, .sharedText)
    fields.add("person", \.person, NumberCodec(range: 0...KnownPerson.highestNumber), unless: 0)
    fields.add("created_at", \.createdAt, .instant)
    fields.add("domain", \.domain, .sharedText)
    fields.add("answer_key", \.answerKey, NumberCodec(range: 0...31))
    fields.add("answer_expiry", \.answerExpiry, NumberCodec(range: 0...0xff_ffff))
    fields.add("withdrawable", \.isWithdrawable, .flag, unless: false)
    fields.add("contents", \.contents, ContentsCodec())
  }

  package init() { self.init(id: .belfry, sink: "", contents: [], createdAt: .distantPast) }

  package func check(_ raw: RawRecord, _ reader: RecordReader) throws(FormFault) {
    try reader.requireBothOrNone(("answer_key", answerKey != nil), ("answer_expiry", answerExpiry != nil), raw)
  }
}
