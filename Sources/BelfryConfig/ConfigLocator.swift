import ConfigKeys

/// Finds the config file.
///
/// The order is the option `--config`, `$BELFRY_CONFIG`, `$XDG_CONFIG_HOME/belfry/config.yaml` (`~/.config` if that is
/// unset), `/etc/belfry/config.yaml`. A named file is used whether or not it exists, so that a misspelt name is an
/// error and not another config; the other two are used only if they exist.
struct ConfigLocator {
  private let environment: ConfigEnvironment
  private let exists: (_ path: String) -> Bool

  /// A locator.
  ///
  /// - Parameter exists: whether there is anything at a path; also true for a path that may not be examined.
  init(environment: ConfigEnvironment, exists: @escaping (_ path: String) -> Bool) {
    self.environment = environment
    self.exists = exists
  }

  /// The path of the config file; `nil` for the default config.
  ///
  /// - Parameter option: the value of `--config`.
  func locate(option: String?) -> String? {
    if let option { return option }
    if let named = environment.variables["BELFRY_CONFIG"], !named.isEmpty { return named }
    let folder = environment.folder("XDG_CONFIG_HOME", orInHome: ".config")
    return [folder.map { "\($0)/belfry/config.yaml" }, "/etc/belfry/config.yaml"].compactMap(\.self).first(
      where: exists)
  }
}
