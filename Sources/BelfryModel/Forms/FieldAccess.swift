/// Reads and sets a property of a record.
///
/// A key path takes some 500 instructions for each access; a stored property is read at its offset instead.
struct FieldAccess<Root, Value>: Sendable {
  private let path: WritableKeyPath<Root, Value> & Sendable
  private let offset: Int?

  init(_ path: WritableKeyPath<Root, Value> & Sendable) {
    (self.path, offset) = (path, MemoryLayout<Root>.offset(of: path))
  }

  @inline(__always)
  func value(of root: UnsafePointer<Root>) -> Value {
    guard let offset else { return root.pointee[keyPath: path] }
    return (UnsafeRawPointer(root) + offset).assumingMemoryBound(to: Value.self).pointee
  }

  @inline(__always)
  func set(_ value: Value, of root: inout Root) {
    guard let offset else { return root[keyPath: path] = value }
    withUnsafeMutablePointer(to: &root) {
      (UnsafeMutableRawPointer($0) + offset).assumingMemoryBound(to: Value.self).pointee = value
    }
  }
}
