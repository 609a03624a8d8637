import BelfryEngine
import CivilTime
import ConfigKeys
import Transport

/// `type: telegram`: a sink that writes to a Telegram chat through a bot.
package struct TelegramSinkPlugin: SinkPlugin {
  package static let type = "telegram"
  /// A summary on one line.
  package static let summary = "writes each reminder to a Telegram chat, with buttons that need no open port"
  private let settings: TelegramSettings
  private let zones: ZoneDatabase

  /// Reads its keys; see ``SinkPlugin``.
  package init?(_ section: inout ConfigSection) {
    guard let settings = TelegramSettings(&section) else { return nil }
    self.settings = settings
    zones = section.context.zones
  }

  /// Makes the sink; see ``SinkPlugin``.
  package func makeSink(_ transports: Transports) -> any ReminderSink {
    TelegramSink(settings, transports: transports, zones: zones)
  }
}

/// The bot, chat and server of a Telegram sink.
package struct TelegramSettings: Sendable {
  /// The bot's token; whoever has it can use the bot.
  var token: SecretSource
  var chat: TelegramChat
  /// The URL of the Bot API, without a slash at its end.
  package var server = "https://api.telegram.org"
  /// True if the person in the chat may write items and commands.
  package var takesCommands = false
  /// The timeout and certificates of a transfer.
  package var options = TransferOptions()

  /// Settings with defaults for everything else.
  package init(token: SecretSource, chat: TelegramChat) { (self.token, self.chat) = (token, chat) }
}

extension TelegramSettings {
  init?(_ section: inout ConfigSection) {
    var token: SecretSource?
    section.secret(
      "token", &token, "The token of the bot, as @BotFather gives it.", isRequired: true, check: BotAccess.check)
    let chat = section.require("chat_id", .chat, "The number of the chat, or the @name of a public group or channel.")
    section.read("api_url", &server, .apiURL, "The server of the Bot API.")
    let commands = section.read(
      "commands", &takesCommands, .boolean,
      "Whether a text in the chat with one person becomes an item, and /list and /agenda are answered.")
    section.read("timeout", &options.timeoutSeconds, .duration(atLeast: 1), "The time limit of an attempt.")
    options.readCertificates(&section)
    if takesCommands, chat?.isPerson == false {
      section.error("'commands' are for the chat with one person, whose chat_id is positive", at: commands.value)
    }
    guard let token, let chat else { return nil }
    self.token = token
    self.chat = chat
  }
}

extension ConfigType where Value == String {
  /// The URL of a server of the Bot API, without a slash at its end.
  fileprivate static var apiURL: ConfigType {
    .textual(.line, write: ConfigText.write) { text, _ throws(ConfigProblem) in
      let url = try ServerURL(text, schemes: ["http", "https"])
      guard !url.target.contains("?") else {
        throw ConfigProblem("the URL of a Bot API server must not have a query (?)")
      }
      return url.origin + (url.target.hasSuffix("/") ? url.target.dropLast() : url.target[...])
    }
  }
}
