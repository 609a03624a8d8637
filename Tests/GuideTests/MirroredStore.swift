import BelfryEngine

/// A store that keeps a second store equal to it.
struct MirroredStore: ItemStore {
  let main: any ItemStore
  let mirror: any ItemStore

  var location: String { main.location }

  func read<Result>(_ body: (any StoreView) throws -> Result) throws -> Result { try main.read(body) }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    // The mirror is written inside the main store's transaction: where it fails, nothing was changed in either.
    try main.write { transaction in
      let result = try body(transaction)
      try mirror.write { copy in
        try copy.removeEverything()
        try transaction.forEachRecord { try copy.restore($0) }
      }
      return result
    }
  }

  func lockForDaemon() throws -> any DaemonLock { try main.lockForDaemon() }

  func tidy() throws {
    try main.tidy()
    try mirror.tidy()
  }

  func info() throws -> StoreInfo {
    var info = try main.info()
    // A store that was never written has no copy.
    if info.version != nil { info.backup = mirror.location }
    return info
  }

  func damage() throws -> [String] { try main.damage() + mirror.damage() }
}
