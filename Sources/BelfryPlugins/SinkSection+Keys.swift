import BelfryCore

extension SinkSection {
  /// The keys that the sink's plug-in declares.
  public var keys: [any ConfigKeyDescription] { Registry.schema.sinks.first { $0.type == type }?.keys ?? [] }

  /// Faults of the files of certificates and keys that the sink names, each with its key in the config.
  public func certificateFaults() -> [(key: String, error: BelfryError)] {
    keys.compactMap { key in
      guard let name = key.names.first, let file = section.value(of: key, as: PEMFile.self) else { return nil }
      do throws(BelfryError) { try file.check() } catch { return (name, error) }
      return nil
    }
  }
}
