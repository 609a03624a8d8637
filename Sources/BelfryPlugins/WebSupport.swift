import BelfryModel

/// What the web face needs of a store.
package enum WebSupport {
  /// The error of a store that is no file, beside which nobody's access can be kept.
  package static let unavailable = BelfryError(
    .badConfig, "the web face keeps who may use it beside the store's file, and this store is on a server",
    hint: "there is no web face for it yet")
}
