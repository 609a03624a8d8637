import BelfryModel

/// The kind of the ``BelfryError`` that a call throws; `nil` if it throws none.
public func errorKind(_ body: () throws -> some Any) -> BelfryError.Kind? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? BelfryError)?.kind
  }
}
