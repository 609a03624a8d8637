import BelfryModel
import CivilTime
import Foundation

extension StoreConformance {
  private static let kinds: [Occurrence.Kind] = [
    .planned, .snooze(29_920_801), .snooze(29_920_802), .nag(1), .nag(24),
    .escalation(EscalationPlace(run: 1, step: 1, ring: 2)), .escalation(EscalationPlace(run: 1, step: 2, ring: 1)),
    .escalation(EscalationPlace(run: 1 << 20, step: 20, ring: 100)),
  ]

  static let reminders: [Case] = [
    Case("a reminder keeps every field, in every state") { fixture in
      let store = try fixture.open()
      let owners: [ReminderOwner] = [.item(1), .list(1), .item(2)]
      var kept: [Reminder] = []
      for (index, owner) in owners.enumerated() {
        for (place, state) in Reminder.State.allCases.enumerated() {
          let lead = CalendarDuration(days: place, minutes: index * 10)
          for kind in Self.kinds {
            kept.append(
              try Sample.reminder(
                of: owner, at: 60 * place + index, lead: lead, kind: kind, state: state,
                changedAt: Sample.now - Double(place)))
          }
        }
      }
      try store.write { transaction in
        try transaction.addSampleList()
        for _ in 1...2 { try transaction.addSampleItem(to: 1) }
        for reminder in kept { try transaction.put(reminder) }
      }
      let reopened = try fixture.open()
      for reminder in kept {
        try Check.equal(reopened.read { try $0.reminder(id: reminder.id) }, reminder, "the reminder")
      }
      for owner in owners {
        let found = try reopened.read { try Set($0.reminders(of: owner)) }
        try Check.equal(found, Set(kept.filter { $0.occurrence.owner == owner }), "the reminders of \(owner)")
        for state in Reminder.State.allCases {
          let found = try reopened.read { try Set($0.reminders(of: owner, at: nil, state: state)) }
          let expected = kept.filter { $0.occurrence.owner == owner && $0.state == state }
          try Check.equal(found, Set(expected), "the \(state) reminders of \(owner)")
        }
        for wallTime in Set(kept.map(\.occurrence.wallTime)) {
          let found = try reopened.read { try Set($0.reminders(of: owner, at: wallTime, state: nil)) }
          let expected = kept.filter { $0.occurrence.owner == owner && $0.occurrence.wallTime == wallTime }
          try Check.equal(found, Set(expected), "the reminders of \(owner) at \(wallTime)")
        }
      }
      try Check.equal(reopened.read { try $0.reminder(id: Sample.uuid("none")) }, nil, "an unknown reminder")
      try Check.equal(reopened.read { try $0.reminders(of: .list(2)) }, [], "an unknown list's reminders")
    },
    Case("whether a reminder has ended after an instant is known, in every state but scheduled") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        try transaction.addSampleItem(to: 1)
      }
      for (index, state) in Reminder.State.allCases.enumerated() {
        let changedAt = Sample.now + Double(index + 1)
        let reminder = try Sample.reminder(of: .item(1), at: index, state: state, changedAt: changedAt)
        try store.write { try $0.put(reminder) }
        let isEnded = state != .scheduled
        try Check.equal(store.read { try $0.hasEndedReminder(after: changedAt - 1) }, isEnded, "\(state), before")
        try Check.equal(
          store.read { try $0.hasEndedReminder(after: changedAt) }, false, "\(state), at the same instant")
        for (since, isKnown) in [(changedAt, state == .missed), (changedAt + 1, false)] {
          try Check.equal(
            store.read { try $0.missedReminders(since: since) }, isKnown ? [reminder] : [], "\(state), the missed ones")
        }
      }
    },
    Case("putting a reminder again replaces the one with the same identity") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        try transaction.addSampleItem(to: 1)
      }
      var reminder = try Sample.reminder(of: .item(1), at: 10)
      for state in [.scheduled, .cancelled, .scheduled, .fired, .missed] as [Reminder.State] {
        reminder.state = state
        reminder.fireDate = try Sample.fireDate(10 + state.rawValue)
        reminder.changedAt = Sample.now + Double(state.rawValue)
        try store.write { try $0.put(reminder) }
        try Check.equal(fixture.open().read { try $0.reminders(of: .item(1)) }, [reminder], "the reminders")
      }
    },
    Case("leads of one day and of 24 hours are two reminders") { fixture in
      let store = try fixture.open()
      let leads = [CalendarDuration(days: 1, minutes: 0), CalendarDuration(days: 0, minutes: 1_440)]
      let reminders = try leads.map { try Sample.reminder(of: .item(1), at: 0, lead: $0) }
      try store.write { transaction in
        try transaction.addSampleList()
        try transaction.addSampleItem(to: 1)
        for reminder in reminders { try transaction.put(reminder) }
      }
      try Check.equal(store.read { try Set($0.reminders(of: .item(1))) }, Set(reminders), "the reminders")
    },
    Case("what is pending comes soonest first, with the words that it says") { fixture in
      let store = try fixture.open()
      let due = try Sample.due(40)
      try store.write { transaction in
        for name in ["Groceries", "Work", "Plain"] { try transaction.addSampleList(name) }
        var work = try Check.present(transaction.list(id: 2))
        work.reminder = ListReminder(due: due, zone: .fixed("Asia/Tokyo"), message: "Go home", category: "daily")
        try transaction.update(work)
        var plain = try Check.present(transaction.list(id: 3))
        plain.reminder = ListReminder(due: due, zone: .floating)
        try transaction.update(plain)
        var item = try transaction.addSampleItem("Milk", to: 1, due: 50)
        item.zone = .fixed("Europe/Zurich")
        item.category = "shopping"
        try transaction.update(item)
        try transaction.put(Sample.reminder(of: .item(1), at: 50))
        try transaction.put(Sample.reminder(of: .item(1), at: 30))
        try transaction.put(Sample.reminder(of: .list(2), at: 40))
        try transaction.put(Sample.reminder(of: .list(3), at: 45))
        for (minutes, state) in [(1, Reminder.State.fired), (2, .cancelled), (3, .missed)] {
          try transaction.put(Sample.reminder(of: .item(1), at: minutes, state: state))
        }
      }
      try fixture.open().read { view in
        let pending = try view.pending()
        try Check.equal(pending.map(\.text), ["Milk", "Go home", "Plain", "Milk"], "the texts")
        try Check.equal(pending.map(\.listName), ["Groceries", "Work", "Plain", "Groceries"], "the lists")
        try Check.equal(pending.map(\.category), ["shopping", "daily", nil, "shopping"], "the categories")
        try Check.equal(
          pending.map(\.zone), [.fixed("Europe/Zurich"), .fixed("Asia/Tokyo"), .floating, .fixed("Europe/Zurich")],
          "the zones")
        try Check.equal(pending[0].reminder, Sample.reminder(of: .item(1), at: 30), "the first reminder")
        try Check.equal(view.pending(limit: 2).map(\.text), ["Milk", "Go home"], "the first two")
        try Check.equal(view.pending(limit: 0), [], "none")
      }
    },
    Case("a scheduled reminder whose owner is gone is not listed") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        try transaction.addSampleItem(to: 1)
        for owner in [.item(1), .item(2), .list(2)] as [ReminderOwner] {
          try transaction.put(Sample.reminder(of: owner, at: 10))
        }
      }
      let owners = try store.read { try $0.pending().map(\.reminder.occurrence.owner) }
      try Check.equal(owners, [.item(1)], "the owners of what is pending")
    },
  ]

  static let dueReminders: [Case] = [
    Case("snoozes are told while they are scheduled, and of items only") { fixture in
      let store = try fixture.open()
      let scheduled = try Sample.reminder(of: .item(1), at: 30, kind: .snooze(5))
      let ofList = try Sample.reminder(of: .list(1), at: 30, kind: .snooze(5))
      try store.write { transaction in
        try transaction.addSampleList()
        for _ in 1...3 { try transaction.addSampleItem(to: 1) }
        try transaction.put(scheduled)
        try transaction.put(Sample.reminder(of: .item(1), at: 10))
        for (index, state) in [Reminder.State.fired, .cancelled, .missed].enumerated() {
          try transaction.put(Sample.reminder(of: .item(2), at: 30, kind: .snooze(index), state: state))
        }
        try transaction.put(Sample.reminder(of: .item(3), at: 20, kind: .nag(1)))
        try transaction.put(ofList)
      }
      try Check.equal(fixture.open().read { Set(try $0.snoozes()) }, [scheduled, ofList], "the snoozes")
    },
    Case("what is due comes by fire date, up to and with the instant, at most so many") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        for _ in 1...2 { try transaction.addSampleItem(to: 1) }
        for minutes in [3, -5, 0, 1, -1] { try transaction.put(Sample.reminder(of: .item(1), at: minutes)) }
        try transaction.put(Sample.reminder(of: .list(1), at: -3))
        for (minutes, state) in [(-2, Reminder.State.fired), (-4, .cancelled), (-6, .missed)] {
          try transaction.put(Sample.reminder(of: .item(2), at: minutes, state: state))
        }
      }
      try fixture.open().read { view in
        func minutes(_ now: Date, _ limit: Int) throws -> [Double] {
          try view.dueReminders(at: now, limit: limit).map { $0.fireDate.date.timeIntervalSince(Sample.now) / 60 }
        }
        try Check.equal(minutes(Sample.now, 9), [-5, -3, -1, 0], "due now")
        try Check.equal(minutes(Sample.now + 59.9, 9), [-5, -3, -1, 0], "due before the next minute")
        try Check.equal(minutes(Sample.now + 60, 9), [-5, -3, -1, 0, 1], "due at the next minute")
        try Check.equal(minutes(Sample.now - 0.001, 9), [-5, -3, -1], "due a moment before")
        try Check.equal(minutes(Sample.now, 2), [-5, -3], "the first two")
        try Check.equal(minutes(Sample.now - 600, 9), [], "due long ago")
        let first = try view.dueReminders(at: Sample.now, limit: 1)
        try Check.equal(first, [Sample.reminder(of: .item(1), at: -5)], "the first")
      }
    },
    Case("a later scheduled reminder of the same owner is known, its bounds being after and through") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        for _ in 1...2 { try transaction.addSampleItem(to: 1) }
        try transaction.put(Sample.reminder(of: .item(1), at: 10))
        try transaction.put(Sample.reminder(of: .item(1), at: 20, state: .cancelled))
        let step = Occurrence.Kind.escalation(EscalationPlace(run: 1, step: 2, ring: 1))
        try transaction.put(Sample.reminder(of: .item(1), at: 25, kind: step))
        try transaction.put(Sample.reminder(of: .list(1), at: 30))
      }
      try store.read { view in
        func has(_ owner: ReminderOwner, _ after: Int, _ through: Double) throws -> Bool {
          try view.hasScheduled(owner, after: Sample.fireDate(after), through: Sample.now + through * 60)
        }
        try Check.that(has(.item(1), 9, 10), "one at its upper bound is not seen")
        try Check.that(has(.item(1), 9, 10.5), "one within its bounds is not seen")
        try Check.that(!has(.item(1), 9, 9.99), "one beyond the upper bound is seen")
        try Check.that(!has(.item(1), 10, 99), "one at the lower bound, cancelled or of an escalation is seen")
        try Check.that(!has(.item(2), 0, 99), "another item's is seen")
        try Check.that(has(.list(1), 0, 99), "the list's is not seen")
        try Check.that(!has(.list(2), 0, 99), "another list's is seen")
      }
    },
  ]
}
