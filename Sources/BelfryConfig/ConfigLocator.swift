import BelfryCore

/// Decides which file is the config.
///
/// Searched are the option `--config`, `$BELFRY_CONFIG`, `$XDG_CONFIG_HOME/belfry/config.yaml` (`~/.config` where that
/// is unset) and `/etc/belfry/config.yaml`. A file that is named is taken whether or not it is there, so that a misspelt
/// name is an error and not another config; of the other two the first that exists.
public struct ConfigLocator {
  private let environment: ConfigEnvironment
  private let exists: (_ path: String) -> Bool

  /// A locator.
  ///
  /// - Parameter exists: whether there is anything at a path; yes also for what may not be looked at.
  public init(environment: ConfigEnvironment, exists: @escaping (_ path: String) -> Bool) {
    self.environment = environment
    self.exists = exists
  }

  /// The path of the config file, as it was named; `nil` where there is none, which means the default.
  ///
  /// - Parameter option: the value of `--config`.
  public func locate(option: String?) -> String? {
    if let option { return option }
    if let named = environment.variables["BELFRY_CONFIG"], !named.isEmpty { return named }
    let folder = environment.folder("XDG_CONFIG_HOME", orInHome: ".config")
    return [folder.map { "\($0)/belfry/config.yaml" }, "/etc/belfry/config.yaml"].compactMap(\.self).first(
      where: exists)
  }
}
