import Transport

/// The file, contact and limits of a sink of browsers.
struct WebPushSettings: Sendable {
  /// The path of the file of subscriptions.
  var path: String
  /// The URL by which the operator of a push service reaches the sender; `nil` if the config has none.
  var contact: String?
  /// The origins that messages may go to, in addition to public hosts by https.
  var origins: [String] = []
  /// The timeout and certificates of a transfer.
  var options = TransferOptions()
  /// The most concurrent attempts.
  var concurrency = 16

  /// Settings with defaults for everything else.
  init(path: String) { self.path = path }
}
