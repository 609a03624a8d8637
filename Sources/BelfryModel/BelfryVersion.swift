/// The version of the programs, which sinks tell the other side.
public enum BelfryVersion {
  /// As `--version` prints it.
  public static let current = "0.1.0"
}
