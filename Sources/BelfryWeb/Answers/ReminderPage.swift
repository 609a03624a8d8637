import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import Hummingbird
import MessageText

/// The page of one reminder: what rang, when and how late, what was answered, and a button for each action that would
/// have an effect.
struct ReminderPage {
  /// The paths to which its forms are sent.
  struct Places {
    /// The path to which the form of an offer is sent.
    let action: (ReminderSheet.Offer) -> String
    /// The path to sign in for an offer that needs it; `nil` if the visitor has signed in recently.
    let signIn: ((ReminderSheet.Offer) -> String)?
    let takeBack: String
    /// The path of the decoy; `nil` if only visitors who have signed in see the page.
    let decoy: String?
  }

  /// The result of a press, shown above everything else.
  struct Notice {
    let heading: String
    let words: String
    /// True if it is about the answer in force, which then needs no words of its own.
    let namesAnswer: Bool
  }

  let sheet: ReminderSheet
  let words: ReminderWords
  let places: Places
  /// The channels of the sinks, for the words of an answer that came over one.
  let channels: [Answer.Channel]
  /// The number of the action that is shown first.
  var front: Int?
  var notice: Notice?
  /// True if it offers anything to press.
  var isOpen = true
  /// The time until which the link works; `nil` for a page without a link.
  var end: Date?

  private static let longTitle = 90

  init(_ sheet: ReminderSheet, zones: ZoneDatabase, places: Places, channels: [Answer.Channel]) {
    (self.sheet, self.places, self.channels) = (sheet, places, channels)
    words = ReminderWords(sheet.content, at: sheet.now, lateSeconds: sheet.lateSeconds, zones: zones)
  }

  func response(status: HTTPResponse.Status = .ok) -> Response {
    .page(title: title, status: status) { body in
      if isOpen, let decoy = places.decoy { Self.add(decoy: decoy, to: &body) }
      body.paragraph(words.list, ["class": "list", "dir": "auto"])
      let isLong = words.text.count > Self.longTitle
      body.element("h1", words.text, ["dir": "auto", "class": isLong ? "long" : "short"])
      addState(to: &body)
      addTimes(to: &body)
      if isOpen { addOffers(to: &body) }
      // The content follows the buttons, so that long notes and lists push none of them out of sight.
      addContent(to: &body)
      if isOpen { addDestructiveOffers(to: &body) }
      if let end {
        body.element("footer") { $0.paragraph("This link works until \(sheet.zone.readable(end)).") }
      }
    }
  }

  // Screen readers read the title first, so after a press it begins with the result.
  private var title: String {
    (notice.map { "\($0.heading) – " } ?? "") + words.headline.bounded(toBytes: 120).onOneLine()
  }

  // A robot that presses every button presses this one too, which undoes its presses. The label is for people whose
  // browser shows the button anyway.
  private static func add(decoy: String, to body: inout HTML) {
    body.element("form", ["method": "post", "action": decoy, "class": "decoy", "hidden": "", "aria-hidden": "true"]) {
      $0.element("button", "Leave this alone: it stops robots, and undoes what was pressed", ["tabindex": "-1"])
    }
  }
}

// MARK: State and facts

extension ReminderPage {
  private func addState(to body: inout HTML) {
    guard notice != nil || sheet.answer != nil || sheet.standing != nil else { return }
    body.element("div", ["class": "notice", "role": "status"]) { body in
      if let notice {
        body.element("h2", notice.heading, ["dir": "auto"])
        if !notice.words.isEmpty { body.paragraph(notice.words, ["dir": "auto"]) }
      }
      if let answer = sheet.answer {
        if notice?.namesAnswer != true {
          body.element("h2", sheet.heading(of: answer), ["dir": "auto"])
          body.paragraph("\(answer.reply.capitalizedFirst). \(given(answer))", ["dir": "auto"])
        }
      } else if notice == nil, let standing = sheet.standing {
        body.element("h2", standing.capitalizedFirst + ".", ["dir": "auto"])
      }
      if isOpen { addTakeBack(to: &body) }
    }
  }

  private func addTakeBack(to body: inout HTML) {
    guard let answer = sheet.answer, let end = sheet.takeBackEnd,
      places.decoy == nil || !sheet.needsSignIn(toTakeBack: answer)
    else { return }
    body.form(action: places.takeBack, button: "Take it back", style: "small", fields: ["answer": "\(answer.id)"])
    body.element("span", "Possible until \(sheet.zone.readable(end)).", ["class": "note"])
  }

  private func given(_ answer: Answer) -> String {
    let person = sheet.person.map { " by \($0.capitalizedFirst)" } ?? ""
    return "Given\(person) over \(answer.channel.words(among: channels)), \(sheet.zone.readable(answer.date))."
  }

  private func addTimes(to body: inout HTML) {
    body.element("dl") { body in
      addDue(to: &body)
      addRinging(to: &body)
      if sheet.standing == nil, sheet.answer == nil, let escalation = words.escalation {
        Self.add("So far", to: &body) { $0.add(escalation) }
      }
    }
  }

  private func addContent(to body: inout HTML) {
    let notes = words.notes ?? ""
    guard !notes.isEmpty || !words.unchecked.isEmpty else { return }
    body.element("dl") { body in
      if !notes.isEmpty {
        Self.add("Notes", to: &body) { body in
          body.element("div", ["class": "notes", "dir": "auto"]) { $0.linked(notes) }
        }
      }
      guard !words.unchecked.isEmpty else { return }
      Self.add("To do", to: &body) { body in
        body.element("ul") { body in
          for text in words.unchecked { body.element("li", text, ["dir": "auto"]) }
          if words.uncheckedBeyond > 0 { body.element("li", "and \(words.uncheckedBeyond) more") }
        }
      }
    }
  }

  private var due: Date? { sheet.content.item?.due?.date }

  private func addDue(to body: inout HTML) {
    guard let due else { return }
    let overdue = sheet.now.timeIntervalSince(due)
    Self.add("Due", to: &body) { body in
      body.add("\(words.due), ")
      if sheet.standing == nil, overdue >= 60 {
        body.element("strong", "overdue by \(RelativeTime.span(overdue))")
      } else {
        body.element("span", words.relative)
      }
    }
  }

  // Shows when the reminder rang, unless it rang on time and the due date says so already.
  private func addRinging(to body: inout HTML) {
    let (fireDate, isScheduled) = (sheet.reminder.fireDate.date, sheet.reminder.state == .scheduled)
    let distance = words.late.map { "\($0) late" } ?? (due == nil ? words.relative : nil)
    guard isScheduled || distance != nil || fireDate != due else { return }
    let time = sheet.zone.readable(fireDate.addingTimeInterval(TimeInterval(sheet.lateSeconds)))
    Self.add(isScheduled ? "Rings" : "Rang", to: &body) { body in
      body.add(time)
      guard let distance else { return }
      body.add(", ")
      body.element("span", distance)
    }
  }

  private static func add(_ name: String, to body: inout HTML, _ value: (inout HTML) -> Void) {
    body.element("div") { row in
      row.element("dt", name)
      row.element("dd", [:], value)
    }
  }
}

// MARK: Offers

extension ReminderPage {
  private func addOffers(to body: inout HTML) {
    let harmless = sheet.offers.filter { $0.obstacle == nil && !$0.action.isDestructive }
    guard !harmless.isEmpty else { return }
    let ordered = harmless.filter { $0.number == front } + harmless.filter { $0.number != front }
    body.element("div", ["class": "buttons"]) { body in
      for (index, offer) in ordered.enumerated() { add(offer, isFirst: index == 0, to: &body) }
    }
  }

  private func addDestructiveOffers(to body: inout HTML) {
    for offer in sheet.offers where offer.obstacle == nil && offer.action.isDestructive {
      body.element("section", ["class": "apart"]) { body in
        if let consequence = offer.consequence {
          body.paragraph(consequence.bounded(toBytes: 400).onOneLine(), ["dir": "auto"])
        }
        add(offer, isFirst: false, to: &body)
      }
    }
  }

  private func add(_ offer: ReminderSheet.Offer, isFirst: Bool, to body: inout HTML) {
    let signIn = offer.action.needsSignIn ? places.signIn : nil
    let style = offer.action.isDestructive ? "danger" : isFirst ? "main" : "plain"
    body.element("div", ["class": isFirst ? "first" : "next"]) { body in
      body.form(
        action: signIn?(offer) ?? places.action(offer), button: offer.action.title, style: style,
        fields: signIn == nil ? ["latest": "\(sheet.latestAnswer)"] : [:])
      if signIn != nil { body.element("span", "You have to sign in first.", ["class": "note"]) }
    }
  }
}

extension ReminderSheet {
  /// The title of the action that an answer used.
  func title(of answer: Answer) -> String {
    offers.first { $0.action.identifier == answer.action }?.action.title ?? answer.action
  }

  /// The heading over an answer.
  func heading(of answer: Answer) -> String { "Answered: \(title(of: answer))" }
}
