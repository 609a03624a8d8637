import BelfryModel

extension Answer.Channel {
  /// A channel of a sink.
  package static let phone = Answer.Channel("phone", words: "the phone")
  /// A channel of another sink.
  package static let watch = Answer.Channel("watch", words: "the watch")
}
