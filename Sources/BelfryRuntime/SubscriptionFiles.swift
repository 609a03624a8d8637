import BelfryEngine
import Transport

extension [SinkSection] {
  /// The files of the browsers that subscribed, also those of sinks that are switched off: they would ring again once
  /// such a sink is switched on.
  package var subscriptionFiles: Set<String> {
    Set(compactMap { ((try? $0.plugin.makeSink(.none)) as? any SubscribedSink)?.subscriptionFile })
  }
}
