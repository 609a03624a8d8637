/// The version of the programs, also sent by sinks.
public enum BelfryVersion {
  /// The version as printed by `--version`.
  public static let current = "0.1.0"
}
