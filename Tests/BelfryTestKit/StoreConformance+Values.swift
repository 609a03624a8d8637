import BelfryEngine
import BelfryModel
import CivilTime
import Foundation

extension StoreConformance {
  /// Texts that programs often damage.
  private static let difficultTexts = [
    "caf\u{e9}", "cafe\u{301}", "\u{1112}\u{1161}\u{11ab}", "\u{d55c}", "\u{2126}", "\u{3a9}",
    "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}", "\u{1F1E8}\u{1F1ED}", "\u{1D11E}", "\u{10FFFF}",
    "\u{FFFD}", "\u{FEFF}bom", "\u{202E}txt.exe\u{202C}", "a\u{200B}b\u{2060}c", "שלום עולם",
    "quote ' \" ` \\ % $ ? :name ; -- /* */", "<b>&amp;</b>]]>", "{{text}}", "\u{85}\u{2028}\u{2029}",
    "tab\tand\nline\r\nend\r", " both ends ", "NULL", "null", "0", "1e5", "", "\u{7F}\u{80}",
  ]

  static let texts: [Case] = [
    Case("every text is kept byte for byte, wherever it stands") { fixture in
      let store = try fixture.open()
      for (index, text) in difficultTexts.enumerated() {
        try store.write { transaction in
          var list = try transaction.addList(name: "\(index) \(text)", uuid: Sample.uuid("\(index)"), at: Sample.now)
          list.reminder = try ListReminder(due: Sample.due(), zone: .floating, message: text, category: text)
          try transaction.update(list)
          var item = try transaction.addSampleItem(text, to: list.id)
          item.notes = text
          item.category = text
          item.key = "\(index) \(text)"
          try transaction.update(item)
          let message = try Sample.message(text: text, listName: text, itemID: item.id, sink: "sink \(text)")
          try transaction.add(message, recipients: [text], fireDate: Sample.fireDate(), permittedFrom: Sample.now)
          var delivery = try Check.present(transaction.deliveries(limit: 1).first)
          delivery.lastError = text
          try transaction.update(delivery)
        }
      }
      let reopened = try fixture.open()
      for (index, text) in difficultTexts.enumerated() {
        let id = Int64(index + 1)
        try reopened.read { view in
          let listing = try Check.present(view.item(id: id))
          try Check.sameBytes(listing.item.text, text, "the text")
          try Check.sameBytes(listing.item.notes, text, "the notes")
          try Check.sameBytes(listing.item.category, text, "the category")
          try Check.sameBytes(listing.item.key, "\(index) \(text)", "the key")
          try Check.equal(view.item(key: "\(index) \(text)"), listing, "the item by its key")
          try Check.sameBytes(listing.listName, "\(index) \(text)", "the list's name")
          let reminder = try Check.present(view.list(id: id)?.reminder)
          try Check.sameBytes(reminder.message, text, "the list's message")
          try Check.sameBytes(reminder.category, text, "the list's category")
          let delivery = try Check.present(view.delivery(id: id))
          try Check.sameBytes(delivery.sink, "sink \(text)", "the sink")
          try Check.sameBytes(delivery.recipient, text, "the recipient")
          try Check.sameBytes(delivery.lastError, text, "the error")
          let content = try Check.present(view.message(id: delivery.messageID)?.contents.first)
          try Check.sameBytes(content.text, text, "the content's text")
          try Check.sameBytes(content.listName, text, "the content's list")
        }
      }
    },
    Case("texts that only look alike stay two texts") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        for text in ["caf\u{e9}", "cafe\u{301}"] { try transaction.addSampleItem(text, to: 1) }
        for sink in ["caf\u{e9}", "cafe\u{301}"] { try transaction.addSampleMessage(about: 1, sink: sink) }
      }
      let items = try fixture.open().read { try $0.items() }
      try Check.sameBytes(items.first?.text, "caf\u{e9}", "the first text")
      try Check.sameBytes(items.last?.text, "cafe\u{301}", "the second text")
    },
    Case("a text of 10 MB is kept whole") { fixture in
      let store = try fixture.open()
      let text = String(repeating: "0123456789ab\u{1F600}", count: 655_360)
      try store.write { transaction in
        try transaction.addSampleList()
        var item = try transaction.addSampleItem(text, to: 1)
        item.notes = text
        try transaction.update(item)
      }
      let item = try Check.present(fixture.open().read { try $0.item(id: 1) }).item
      try Check.sameBytes(item.text, text, "the text")
      try Check.sameBytes(item.notes, text, "the notes")
    },
    Case("a text with a character that some formats forbid is kept whole or refused, never changed") { fixture in
      let store = try fixture.open()
      try store.write { _ = try $0.addSampleList() }
      for text in ["a\0b", "\0", "ab\0", "\u{1}", "a\u{1B}[31m", "\u{FFFE}\u{FFFF}"] {
        do {
          try store.write { _ = try $0.addSampleItem(text, to: 1) }
        } catch let error as BelfryError {
          try Check.equal(error.kind, .badInput, "the kind of \"\(error)\"")
          try Check.that(
            try !fixture.open().read { try $0.items().contains { $0.text == text } }, "what was refused is there")
          continue
        }
        try Check.sameBytes(fixture.open().read { try $0.items().last?.text }, text, "the text")
      }
    },
  ]

  static let dates: [Case] = [
    Case("dates from 1970 to 9999 are kept exactly") { fixture in
      let store = try fixture.open()
      let instants: [Double] = [
        0, 60, 86_340, 951_782_400, 2_147_483_640, 2_147_483_700, 4_102_444_800, 4_294_967_280, 32_503_680_000,
        253_402_300_740,
      ]
      try store.write { _ = try $0.addSampleList() }
      for (index, seconds) in instants.enumerated() {
        let id = Int64(index + 1)
        let instant = Date(timeIntervalSince1970: seconds)
        let fireDate = try FireDate(instant)
        // At either end of the supported dates, wall clocks in the outermost zones differ from UTC by up to a day.
        for offset in seconds > 253_402_300_000 ? [-1_440, 0] : [-1_440, 0, 1_440] {
          let due = DueDate(
            local: Zone.utc.wallTime(at: instant).adding(days: 0, minutes: offset), instant: fireDate)
          let reminder = Reminder(
            id: Sample.uuid("\(index) \(offset)"),
            occurrence: Occurrence(owner: .item(id), wallTime: due.local, lead: .zero), fireDate: fireDate,
            state: .scheduled, changedAt: instant)
          try store.write { transaction in
            let old = try transaction.item(id: id)?.item
            var item = try old ?? transaction.addSampleItem(to: 1)
            item.due = due
            item.updatedAt = instant
            item.checkedAt = instant
            try transaction.update(item)
            try transaction.put(reminder)
          }
          let reopened = try fixture.open()
          let item = try Check.present(reopened.read { try $0.item(id: id) }).item
          try Check.equal(item.due, due, "the due date")
          try Check.equal([item.updatedAt, item.checkedAt], [instant, instant], "the instants")
          try Check.equal(reopened.read { try $0.reminder(id: reminder.id) }, reminder, "the reminder")
        }
      }
      let end = Date(timeIntervalSince1970: 253_402_300_800)
      let dates = try store.read { try $0.dueReminders(at: end, limit: 99).map(\.fireDate) }
      try Check.equal(dates, dates.sorted(), "the order of what is due")
      try Check.equal(dates.count, 3 * instants.count - 1, "how much is due")
      try Check.equal(store.read { try $0.items().map(\.id) }, (1...10).map { Int64($0) }, "the items by due date")
    },
    Case("a cut-off may lie anywhere in time") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        try transaction.addSampleItem(to: 1, due: 0)
        try transaction.put(Sample.reminder(of: .item(1)))
        try transaction.addSampleMessage(about: 1)
      }
      for (instant, count) in [(Date.distantPast, 0), (Date(timeIntervalSince1970: 0), 0), (.distantFuture, 1)] {
        try store.read { view in
          try Check.equal(view.items(ItemQuery(dueBefore: instant)).count, count, "the items before \(instant)")
          try Check.equal(view.dueReminders(at: instant, limit: 9).count, count, "what is due at \(instant)")
          try Check.equal(
            view.attemptableDeliveries(sink: "sink", at: instant, besides: [], limit: 9).count, count,
            "to try at \(instant)")
        }
      }
    },
    Case("numbers of every size are kept") { fixture in
      let store = try fixture.open()
      let large: Int64 = 9_007_199_254_740_991
      try store.write { transaction in
        try transaction.addSampleList()
        var item = try transaction.addSampleItem(to: 1, preferredID: large)
        item.position = large
        try transaction.update(item)
      }
      let item = try Check.present(fixture.open().read { try $0.item(id: large) }).item
      try Check.equal(item.position, large, "the place")
      try Check.equal(store.read { try $0.counters().nextItemID }, large + 1, "the next number")
    },
  ]
}
