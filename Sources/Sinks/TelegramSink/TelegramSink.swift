import BelfryEngine
import BelfryModel
import CivilTime
import FoundationEssentials
import OrderedJSON
import Transport

/// A sink that writes each reminder to a Telegram chat, with buttons.
package struct TelegramSink: AnsweredSink {
  private let settings: TelegramSettings
  private let transports: Transports
  private let zones: ZoneDatabase

  /// A sink with these settings.
  ///
  /// - Parameter zones: the zones in which times are shown.
  package init(_ settings: TelegramSettings, transports: Transports, zones: ZoneDatabase) {
    (self.settings, self.transports, self.zones) = (settings, transports, zones)
  }

  /// A single recipient without a name: the chat.
  package var recipients: [String?] { [nil] }

  /// One, since a chat shows messages in the order in which they arrive, and accepts about one a second.
  package var concurrency: Int { 1 }

  /// True, since a bot can edit its messages.
  package var canWithdraw: Bool { true }

  /// The presses of its buttons, and the texts in its chat.
  package var replies: (any ReplySource)? { TelegramReplies(settings, transports: transports) }

  /// The person in the chat, if there is only one.
  package var correspondent: String? { settings.chat.correspondent }

  /// Writes one message, or edits the message that an update is about; see ``ReminderSink``.
  package func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
    await withBot { bot throws(TransferFailure) in
      let message = TelegramMessage(attempt, zones: zones)
      guard attempt.message.update != nil, let sent = attempt.receipt.flatMap(SentMessage.init(parsing:)) else {
        // If it is unknown whether a copy arrived, an update is a separate message.
        let reply = try await bot.call("sendMessage", message.sending(to: settings.chat))
        return SentMessage(reply.result).map { .delivered(reply: $0.words) } ?? reply.refusal(now: attempt.startedAt)
      }
      let reply = try await bot.call("editMessageText", message.editing(sent))
      // An earlier attempt may have edited it.
      let isEdited = reply.result != nil || reply.says("message is not modified")
      return isEdited ? .delivered(reply: sent.words) : reply.refusal(now: attempt.startedAt)
    }
  }

  /// Asks who the bot is, and whether it knows the chat, and writes nothing; see ``ReminderSink``.
  package func probe() async -> DeliveryOutcome {
    await withBot { bot throws(TransferFailure) in
      for (method, parameters) in [("getMe", [:]), ("getChat", ["chat_id": settings.chat.json])] as [(_, JSONObject)] {
        let reply = try await bot.call(method, parameters)
        // A probe is not retried, so the time to wait does not matter.
        guard reply.result != nil else { return reply.refusal(now: .distantPast) }
      }
      return .delivered
    }
  }

  /// Runs `work` with the current token, and masks it in the outcome.
  private func withBot(
    _ work: (BotAccess) async throws(TransferFailure) -> DeliveryOutcome
  ) async -> DeliveryOutcome {
    let bot: BotAccess
    do throws(BelfryError) {
      bot = try BotAccess(settings, transports)
    } catch {
      return DeliveryOutcome(unreadableSecret: error)
    }
    do throws(TransferFailure) {
      return bot.redaction.outcome(try await work(bot))
    } catch {
      return bot.redaction.outcome(of: error)
    }
  }
}
