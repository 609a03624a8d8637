import BelfryEngine
import BelfryModel
import CivilTime
import ConfigKeys
import FoundationEssentials
import MessageText
import Transport

/// A sink that mails each reminder.
package struct EmailSink: ReminderSink {
  private let settings: EmailSettings
  let composer: MailComposer
  let transports: Transports

  /// A sink with these settings.
  ///
  /// - Parameter zones: the zones in which times are shown.
  package init(_ settings: EmailSettings, transports: Transports, zones: ZoneDatabase) {
    self.settings = settings
    self.transports = transports
    composer = MailComposer(settings: settings, zones: zones)
  }

  /// The configured addresses; each gets a separate mail.
  package var recipients: [String?] { settings.to.map(\.address) }

  /// The configured limit of concurrent attempts.
  package var concurrency: Int { settings.concurrency }

  /// The sender's domain, for message IDs.
  package var messageDomain: String? { settings.from.domain.ascii }

  /// The configured grouping of reminders into digests.
  package var grouping: MessageGrouping { settings.grouping }

  /// Sends one mail; see ``ReminderSink``.
  package func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
    let recipient: Mailbox
    do throws(ConfigProblem) {
      // A recipient that was since removed from the config is parsed from its stored address.
      let known = settings.to.first { $0.address == attempt.recipient }
      recipient = if let known { known } else { try Mailbox(attempt.recipient ?? "") }
    } catch {
      return .never(reason: "\(attempt.recipient.map(inQuotes) ?? "nobody") cannot be mailed to: \(error.message)")
    }
    return await withServer { server throws(TransferFailure) in
      ReplyClassification.outcome(
        try await transports.mail.send(composer.mail(attempt, to: recipient), through: server))
    }
  }

  /// Connects and authenticates, and sends no mail; see ``ReminderSink``.
  package func probe() async -> DeliveryOutcome {
    await withServer { server throws(TransferFailure) in
      ReplyClassification.probeOutcome(try await transports.mail.probe(server))
    }
  }

  /// Runs `work` with the server and the current secrets, and masks them in its outcome.
  func withServer(
    _ work: (MailServer) async throws(TransferFailure) -> DeliveryOutcome
  ) async -> DeliveryOutcome {
    let credential: MailCredential?
    do throws(BelfryError) {
      credential = try self.credential()
    } catch {
      return DeliveryOutcome(unreadableSecret: error)
    }
    let redaction = Redaction(credential?.secrets(for: settings.url) ?? [])
    var options = settings.options
    options.trace = redaction.masking(transports.trace)
    let server = MailServer(
      url: settings.url.origin, security: settings.security, credential: credential, options: options)
    do throws(TransferFailure) {
      return redaction.outcome(try await work(server))
    } catch {
      return redaction.outcome(of: error)
    }
  }

  private func credential() throws(BelfryError) -> MailCredential? {
    switch settings.authentication {
    case .none: nil
    case .password(let username, let source):
      MailCredential(username: username, proof: .password(try source.read().revealed))
    case .token(let username, let source):
      MailCredential(username: username, proof: .token(try source.read().revealed))
    }
  }
}

extension MailCredential {
  /// The secrets to mask: the password or token, and its encodings by PLAIN, LOGIN, XOAUTH2 and OAUTHBEARER, in which a
  /// short secret would not be found.
  fileprivate func secrets(for url: ServerURL) -> [Secret] {
    switch proof {
    case .password(let password):
      return [Secret(password), Self.encoded("\0\(username)\0\(password)"), Self.encoded(password)]
    case .token(let token):
      let bearer = "\u{1}auth=Bearer \(token)\u{1}\u{1}"
      let host = url.host.filter { !"[]".contains($0) }
      let port = url.port ?? (url.scheme == "smtps" ? 465 : 25)
      let place = "host=\(host)" + (port == 80 ? "" : "\u{1}port=\(port)")
      return [
        Secret(token), Self.encoded("user=\(username)\(bearer)"),
        Self.encoded("n,a=\(username),\u{1}\(place)\(bearer)"),
      ]
    }
  }

  private static func encoded(_ text: String) -> Secret { Secret(Data(text.utf8).base64EncodedString()) }
}
