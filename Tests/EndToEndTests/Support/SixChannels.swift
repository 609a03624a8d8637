import Foundation
import TestSupport
import Testing

/// Items that have rung over six channels at once, three of which need no open port: one for each action on each
/// channel, and one of each category that nobody answers.
struct SixChannels {
  /// The way in which a message arrives and is answered.
  enum Channel: String, CaseIterable {
    case mail, slack, webhook, ntfy, telegram, desktop

    /// The channel of its answers.
    var answers: String {
      switch self {
      case .mail, .slack, .webhook: "link"
      case .ntfy, .telegram, .desktop: rawValue
      }
    }
  }

  /// An action that needs no sign-in.
  enum Action: String, CaseIterable {
    case done, later, heard

    /// The label of its button.
    var title: String { rawValue.capitalized }
  }

  /// An item that is answered by an action over a channel.
  struct Item: Hashable {
    let action: Action
    let channel: Channel

    var text: String { "\(action) over \(channel)" }

    static let all = Channel.allCases.flatMap { channel in Action.allCases.map { Item(action: $0, channel: channel) } }
  }

  /// The items that nobody answers.
  static let (chore, bill) = ("Chore", "Bill")

  let box: Sandbox
  let face: RunningWebFace
  let daemon: RunningDaemon
  let mail: MailCollector
  let slack: HTTPCollector
  let webhook: HTTPCollector
  let phone: NtfyPhone
  let chat: TelegramServer
  let desktop: RecordedDesktop

  init() async throws {
    mail = try MailCollector()
    slack = try HTTPCollector(answers: [.init(200, body: "ok")])
    webhook = try HTTPCollector()
    phone = NtfyPhone(try NtfyServer())
    chat = try TelegramServer(chats: [TelegramChat.person])
    desktop = try RecordedDesktop()
    box = try Sandbox()
    try box.write(TelegramServer.token + "\n", to: "bot-token")
    let sinks = [
      Sandbox.mailSink(mail.url), "slack: { type: webhook, format: slack, url: \"\(slack.url)\" }",
      "hook: { type: webhook, url: \"\(webhook.url)\" }", phone.sink(),
      "chat: { type: telegram, token_file: bot-token, chat_id: \(TelegramChat.person), api_url: \"\(chat.url)\" }",
      desktop.sink,
    ]
    face = try await box.linkedWebFace(
      "store: { type: sqlite, path: store.sqlite }\nsinks:\n" + sinks.map { "  \($0)\n" }.joined() + Self.categories)
    let bills = Item.all.filter { $0.action == .heard }
    let chores = Item.all.filter { $0.action != .heard }
    try await box.addDueItems(chores.map(\.text) + [Self.chore], "--category", "chores", "--nag", "30m")
    try await box.addDueItems(bills.map(\.text) + [Self.bill], "--category", "bills", "--nag", "30m")
    let count = sinks.count * (Item.all.count + 2)
    daemon = try await box.daemon()
    try await waitUntil("\(count) messages are delivered; log: \(daemon.log)") { [box] in
      try await box.json("deliveries", "--state", "delivered", "-n", "1000").elements?.count == count
    }
  }

  // Beside the button that opens the page, ntfy has room for two, so that the third action is in another category.
  private static let categories = """
    categories:
      chores:
        actions:
          - { identifier: done, title: Done, do: check }
          - { identifier: later, title: Later, do: snooze, for: 1h }
          - { identifier: heard, title: Heard, do: acknowledge }
          - { identifier: drop, title: Drop, do: delete }
      bills:
        actions:
          - { identifier: heard, title: Heard, do: acknowledge }
          - { identifier: later, title: Later, do: snooze, for: 1h }
          - { identifier: done, title: Done, do: check }
          - { identifier: pay, title: Pay, do: check, authentication_required: true }

    """
}

// MARK: Messages

extension SixChannels {
  /// The path of the page to which the link behind a button of a mail leads.
  func mailPath(_ label: String, about text: String) throws -> String {
    let mail = try #require(try mail.received().first { $0.field("Subject") == "Inbox: \(text)" })
    let html = try #require(mail.parts.first { $0.type == "text/html" }).text
    let links = html.matches(of: #/<a [^>]*href="([^"]+)"[^>]*>([^<]*)<\/a>/#)
    return try path(String(try #require(links.first { $0.2 == label }).1))
  }

  /// The path of the page to which the link in a message to Slack leads.
  func slackPath(about text: String) throws -> String {
    let messages = try slack.received().compactMap { try JSON($0.text)["text"]?.text }
    let message = try #require(messages.first { $0.hasPrefix("\(text)\n") })
    return try path(String(try #require(message.firstMatch(of: #/<(http[^>]+)>/#)).1))
  }

  /// The bodies of a type that the webhook got, by the texts of their items.
  func bodies(_ type: String) throws -> [String: JSON] {
    let bodies = try webhook.received().map { try JSON($0.text) }.filter { $0["type"]?.text == type }
    return Dictionary(bodies.map { ($0["data"]?["item"]?["text"]?.text ?? "", $0["data"] ?? .null) }) { first, _ in
      first
    }
  }

  /// The tokens of the webhook's actions, by their identifiers.
  func tokens(about text: String) throws -> [String: String] {
    let actions = try #require(try bodies("reminder.fired")[text]?["actions"]?.elements)
    return actions.reduce(into: [:]) { $0[$1["identifier"]?.text ?? ""] = $1["token"]?.text }
  }

  func chatMessage(about text: String) throws -> TelegramServer.Message {
    try #require(try chat.sent().first { $0.text.hasPrefix("\(text)\n") })
  }

  private func path(_ link: String) throws -> String {
    #expect(link.hasPrefix("\(face.url)/a/"))
    return try #require(URL(string: link)).path
  }
}

// MARK: Presses

extension SixChannels {
  /// Presses the button of an item, as often as an unsure person may.
  func press(_ item: Item, times: Int = 1) async throws {
    let (text, title) = (item.text, item.action.title)
    switch item.channel {
    case .mail: try await press(title, onPage: mailPath(title, about: text), times)
    case .slack: try await press(title, onPage: slackPath(about: text), times)
    case .webhook:
      let token = try #require(try tokens(about: text)[item.action.rawValue])
      for _ in 1...times {
        let reply = try #require(try await face.post("/a/\(token)"))
        #expect(reply.status == 200 && reply.body.contains(#""effect":"done""#), "\(reply)")
      }
    case .ntfy:
      let message = try #require(try await phone.rung([text]).first)
      for _ in 1...times { try await phone.press(title, of: message) }
    case .telegram:
      let message = try chatMessage(about: text)
      let data = try #require(message.allButtons.first { $0.text == title }?.data)
      for _ in 1...times { try chat.callBack(data, message: message, from: TelegramChat.person) }
    case .desktop:
      let notification = try await desktop.shown(text)
      for _ in 1...times { try desktop.press(title, on: notification) }
    }
  }

  private func press(_ title: String, onPage path: String, _ times: Int) async throws {
    let page = try #require(try await face.get(path))
    let form = try #require(PageForm(title, on: page), "\(page)")
    for _ in 1...times {
      let reply = try #require(try await face.post(form.path, form.fields, as: .page))
      #expect(reply.status == 200 && reply.notice?.hasPrefix("Answered: \(title)") == true, "\(reply)")
    }
  }
}
