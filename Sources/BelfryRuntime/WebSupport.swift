import BelfryModel

/// The stores with which the web face works: those in a file, beside which it keeps who may use it.
package enum WebSupport {
  /// The error of a store that is no file, beside which the access file could be.
  package static let unavailable = BelfryError(
    .badConfig, "the web face keeps who may use it beside the store's file, and this store is on a server",
    hint: "there is no web face for it yet")
}
