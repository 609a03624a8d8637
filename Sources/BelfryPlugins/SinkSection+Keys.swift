import BelfryEngine
import BelfryModel
import ConfigKeys
import Transport

extension SinkSection {
  /// The keys declared by the sink's plug-in.
  package var keys: [any ConfigKeyDescription] { Registry.schema.sinks.first { $0.type == type }?.keys ?? [] }

  /// The faults of the sink's certificate and key files, each with its key in the config.
  package func certificateFaults() -> [(key: String, error: BelfryError)] {
    keys.compactMap { key in
      guard let name = key.names.first, let file = section.value(of: key, as: PEMFile.self) else { return nil }
      do throws(BelfryError) { try file.check() } catch { return (name, error) }
      return nil
    }
  }
}
