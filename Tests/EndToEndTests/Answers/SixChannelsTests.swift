import Foundation
import TestSupport
import Testing

/// Mail, Slack, a webhook, ntfy, Telegram and the desktop, by the built programs over one config.
@Suite("Answers over six channels")
struct SixChannelsTests {
  private typealias Item = SixChannels.Item

  @Test("each action that needs no sign-in is carried out over each channel, once, and every other copy is told")
  func answered() async throws {
    let channels = try await SixChannels()
    for channel in SixChannels.Channel.allCases {
      try await channels.press(Item(action: .done, channel: channel), times: 2)
      try await channels.press(Item(action: .later, channel: channel))
      try await channels.press(Item(action: .heard, channel: channel))
    }
    let answers = try await channels.box.answers(Item.all.count, channels.daemon)
    try await checkStore(channels.box, answers)
    do {
      try await waitUntil("every copy is told") { try untold(channels).isEmpty }
    } catch {
      Issue.record("\(error); untold: \(try untold(channels)); log: \(channels.daemon.log)")
    }
    #expect(try Set(channels.bodies("reminder.answered").keys) == Set(Item.all.map(\.text)))
    #expect(await channels.daemon.stop().end == .exited(0))
    #expect(await channels.face.stop() == .exited(0))
    #expect(!channels.daemon.log.contains("warning"), "\(channels.daemon.log)")
    #expect(try await channels.box.answers(Item.all.count).count == Item.all.count)
    // Copies that cannot be changed stay, and nothing else rang.
    let rung = Item.all.count + 2
    #expect(try channels.mail.received().count == rung && channels.slack.received().count == rung)
    #expect(try channels.chat.sent().count == rung)
  }

  private func checkStore(_ box: Sandbox, _ answers: [JSON]) async throws {
    let rows = answers.map { answer in
      ["text", "action", "channel", "effect"].map { answer[$0]?.text ?? "" }.joined(separator: ", ")
    }
    #expect(
      rows.sorted() == Item.all.map { "\($0.text), \($0.action), \($0.channel.answers), done" }.sorted())
    func texts(_ words: String...) async throws -> [String] {
      let outcome = try await box.run([Programs.belfry] + words + ["--json"], RunOptions())
      return try outcome.elements.compactMap { $0["text"]?.text }.sorted()
    }
    let unanswered = [SixChannels.chore, SixChannels.bill]
    let items = { (actions: SixChannels.Action...) in
      Item.all.filter { actions.contains($0.action) }.map(\.text)
    }
    #expect(try await texts("show", "--checked") == items(.done).sorted())
    #expect(try await texts("show") == (items(.later, .heard) + unanswered).sorted())
    // An acknowledged reminder nags no more; a snoozed one rings in an hour.
    #expect(try await texts("pending") == (items(.later) + unanswered).sorted())
    for ring in try #require(try await box.json("pending").elements) {
      guard let answer = answers.first(where: { $0["text"] == ring["text"] }) else { continue }
      let distance = try #require(try ring.moment("fire_date")) - (try #require(try answer.moment("at")))
      #expect(3_500...3_700 ~= distance, "\(ring)")
    }
  }

  // The copies that do not yet say who has answered, or that still have buttons.
  private func untold(_ channels: SixChannels) throws -> [String] {
    let notes = Dictionary(
      try channels.phone.server.shown(on: NtfyPhone.messages).map { ($0.itemText, $0) }
    ) { _, last in last }
    let messages = try channels.chat.sent()
    let closed = try channels.desktop.closed()
    let bodies = try channels.bodies("reminder.answered")
    return Item.all.flatMap { item in
      let words = "('\(item.action)' by \(item.channel.answers))"
      let note = notes[item.text]
      let message = messages.first { $0.text.hasPrefix("\(item.text)\n") }
      let update = bodies[item.text]?["update"]
      let told = [
        "ntfy": note?.labels == [] && note?.message?.contains(words) == true,
        "telegram": message?.buttons == [] && message?.text.contains(words) == true,
        "desktop": closed.contains(item.text),
        "webhook": update?["action"]?.text == item.action.rawValue && update?["channel"]?.text == item.channel.answers,
      ]
      return told.filter { !$0.value }.map { "\(item.text): \($0.key)" }
    }
  }

  @Test("what asks for a sign-in stands on no button, and the page sends whoever presses it there")
  func signIn() async throws {
    let channels = try await SixChannels()
    let offers = [
      (SixChannels.chore, ["Done", "Later", "Heard"], "Drop"), (SixChannels.bill, ["Heard", "Later", "Done"], "Pay"),
    ]
    for (text, titles, other) in offers {
      #expect(try await channels.phone.rung([text]).first?.labels == titles.prefix(2) + ["More"])
      #expect(try channels.chatMessage(about: text).allButtons.map(\.text) == titles + ["More"])
      #expect(try await channels.desktop.shown(text).labels == titles + ["Open"])
      #expect(try Set(channels.tokens(about: text).keys) == Set(titles.map { $0.lowercased() }))

      let page = try #require(try await channels.face.get(channels.slackPath(about: text)))
      #expect(page.body.contains("You have to sign in first."))
      let form = try #require(PageForm(other, on: page), "\(page)")
      let asked = try #require(try await channels.face.post(form.path, form.fields, as: .page))
      #expect(asked.status == 303 && asked.fields["location"] == "/sign-in", "\(asked)")
      // The link of the mail's button names the action, and carries it out no more than other links do.
      let refused = try #require(
        try await channels.face.post(channels.mailPath(other, about: text), as: .page))
      #expect(refused.status == 403 && refused.notice?.hasPrefix("Sign in first: ") == true, "\(refused)")
    }
    let answers = try await channels.box.answers(2, channels.daemon)
    #expect(
      answers.map { $0["text"]?.text } == offers.map(\.0)
        && answers.map { $0["effect"]?.text } == ["refused", "refused"])
    #expect(try await channels.box.ids("show").count == Item.all.count + 2)
    #expect(await channels.daemon.stop().end == .exited(0))
    #expect(try channels.chat.sent().allSatisfy { !$0.isEdited } && channels.desktop.closed().isEmpty)
  }
}
