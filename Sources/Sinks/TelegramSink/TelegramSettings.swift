import ConfigKeys
import Transport

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
