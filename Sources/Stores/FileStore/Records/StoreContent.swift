import BelfryCore
import MemoryStore

/// What a store's file holds.
package struct StoreContent: Sendable {
  /// What it says.
  package var state: StoreState
  /// What finds things in the state.
  package var indexes: StateIndexes
  /// How it says it.
  package var layout: RecordLayout

  package init(state: StoreState, indexes: StateIndexes, layout: RecordLayout) {
    self.state = state
    self.indexes = indexes
    self.layout = layout
  }
}

/// The mark by which a store's file is known, in every format.
package enum StoreFileMark {
  /// The value of `format`.
  package static let format = "belfry-store"
  /// The value of `version` that this program writes; it reads no newer one.
  package static let version: Int64 = 1
}
