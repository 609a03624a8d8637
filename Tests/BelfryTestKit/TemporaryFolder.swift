import BelfryModel
import Foundation

/// A new folder that is removed, with its content, with the last reference to it.
public final class TemporaryFolder: Sendable {
  /// A parent in memory where the system has one, else the default folder for temporary files.
  public static let inMemory =
    access("/dev/shm", W_OK) == 0 ? "/dev/shm" : FileManager.default.temporaryDirectory.path

  /// The absolute path, without a slash at the end.
  public let path: String

  /// Creates an empty folder that only its owner may enter.
  ///
  /// - Parameter parent: the folder to create it in; ``inMemory`` is faster than a disk.
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  public init(in parent: String = FileManager.default.temporaryDirectory.path) throws {
    var template = Array("\(parent)/belfry-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw BelfryError(.cannotCreate, "cannot make a folder in \(parent): \(String(cString: strerror(errno)))")
    }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in the folder.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The names of the folder's files and folders, in alphabetical order.
  public func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
}
