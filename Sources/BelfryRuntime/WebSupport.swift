import BelfryModel

/// The stores that the web face works with: those in a file, beside which it keeps who may use it.
package enum WebSupport {
  /// The error of a store that is no file, beside which nobody's access can be kept.
  package static let unavailable = BelfryError(
    .badConfig, "the web face keeps who may use it beside the store's file, and this store is on a server",
    hint: "there is no web face for it yet")
}
