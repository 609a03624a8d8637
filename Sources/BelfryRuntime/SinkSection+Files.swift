import BelfryEngine
import BelfryModel
import ConfigKeys
import Transport

extension SinkSection {
  /// The faults of the sink's certificate and key files, each with its key in the config.
  package func certificateFaults() -> [(key: String, error: BelfryError)] {
    section.values(PEMFile.self).compactMap { key, file in
      do throws(BelfryError) { try file.check() } catch { return (key, error) }
      return nil
    }
  }
}

extension [SinkSection] {
  /// The files of the browsers that subscribed, also those of sinks that are switched off: the browsers would ring
  /// again once such a sink is switched on.
  package var subscriptionFiles: Set<String> {
    Set(compactMap { ((try? $0.plugin.makeSink(.none)) as? any SubscribedSink)?.subscriptionFile })
  }
}
