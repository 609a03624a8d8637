import BelfryEngine
import BelfryModel
import CivilTime
import ConfigKeys
import Transport

extension EmailSink: SignInSink {
  /// Sends the mail with a sign-in link; see ``SignInSink``.
  package func deliver(_ letter: SignInLetter) async -> DeliveryOutcome {
    let recipient: Mailbox
    do throws(ConfigProblem) {
      recipient = try Mailbox(letter.address)
    } catch {
      return .never(reason: "\(inQuotes(letter.address)) cannot be mailed to: \(error.message)")
    }
    let outcome = await withServer { server throws(TransferFailure) in
      ReplyClassification.outcome(try await transports.mail.send(composer.mail(letter, to: recipient), through: server))
    }
    // A server may quote the link in its reply.
    return Redaction(tokens: [letter.link]).outcome(outcome)
  }
}

extension MailComposer {
  /// The mail with a sign-in link. The user's templates are for reminders.
  func mail(_ letter: SignInLetter, to recipient: Mailbox) -> Mail {
    let text = """
      This link signs \(letter.person) in to Belfry:

      \(letter.link.revealed)

      It works once, and for five minutes. Open it in the browser in which you asked for it.
      Did you not ask for it? Then ignore this mail: without the link, nobody signs in.

      -- \nBelfry

      """
    return Mail(
      sender: settings.from.address, recipient: recipient.address,
      fields: fields.fields(letter, to: recipient, subject: "Sign in to Belfry"), text: text.withoutControls(),
      html: nil, attachments: [])
  }
}
