import Digests
import FoundationEssentials
import Glibc
import SystemFiles

/// The lists and files of a folder, without their content.
struct FolderListing {
  /// A list's folder.
  struct List {
    let folder: String
    /// The bytes of its `displayname`, or its name in Radicale.
    let name: [UInt8]?
    /// The bytes of its `color`.
    let color: [UInt8]?
    /// Its `.ics` files, by name.
    fileprivate(set) var files: [File] = []

    /// The list of a folder, without its files.
    init(root: String, folder: String) {
      self.folder = folder
      let path = "\(root)/\(folder)"
      name = SmallFile.bytes(path: "\(path)/displayname") ?? RadicaleFolder.name(of: path)
      color = SmallFile.bytes(path: "\(path)/color")
    }

    mutating func add(_ name: String, _ mark: FileMark) {
      files.append(File(path: "\(folder)/\(name)", stamp: mark))
    }

    mutating func sort() { files.sort { $0.path < $1.path } }
  }

  struct File {
    /// The path below the root.
    let path: String
    /// The marks that distinguish one content from the next without reading it.
    let stamp: FileMark
  }

  /// The lists, by folder.
  private(set) var lists: [List] = []
  /// True if the files are only those that may have changed.
  var isPartial = false
  /// The reasons why files cannot be used, one sentence each.
  private(set) var faults: [String] = []
  /// The existing folders and files that cannot be used; nothing in them counts as vanished.
  private(set) var unusable: Set<String> = []

  /// The prefix of the names of files that keep another program's change after two later changes replaced it.
  static let keptPrefix = ".belfry-kept-"

  /// True for the name of a calendar: it ends in `.ics`, in upper or lower case.
  static func isCalendar(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    name.suffix(4).first == UInt8(ascii: ".") && name.suffix(3).elementsEqual("ics".utf8) { $0 | 0x20 == $1 }
  }

  /// True if a file exists but cannot be used.
  func isUnusable(_ path: String) -> Bool {
    !unusable.isEmpty && (unusable.contains(path) || unusable.contains(String(path.prefix { $0 != "/" })))
  }

  /// Reads the folders.
  ///
  /// - Throws: ``BelfryError`` if the root cannot be read. A folder in it that cannot be read is a fault.
  init(root: String, _ failures: VdirFailures) throws {
    let names = try Self.names(in: root).get(else: { failures.cannotRead(root, $0) })
    for name in names where name.first != "." {
      let folder = "\(root)/\(name)"
      guard !name.unicodeScalars.contains("\u{FFFD}") else {
        faults.append("\(folder): its name is not UTF-8")
        continue
      }
      let code = Self.folderFault(folder)
      guard code == 0 else {
        if code != ENOENT, code != ENOTDIR {
          refuse(name, in: root, code)
        } else if Self.isCalendar(name.utf8) {
          faults.append("\(folder) is not in the folder of a list")
        }
        continue
      }
      switch Self.names(in: folder) {
      case .failed(let code): refuse(name, in: root, code)
      case .names(let names):
        var list = List(root: root, folder: name)
        for file in names where file.hasPrefix(Self.keptPrefix) {
          faults.append(
            "\(folder)/\(file) holds what another program wrote while Belfry changed that file: compare, then remove it"
          )
        }
        for file in names where file.first != "." && Self.isCalendar(file.utf8) {
          guard !file.unicodeScalars.contains("\u{FFFD}") else {
            faults.append("\(folder)/\(file): its name is not UTF-8")
            continue
          }
          guard let stamp = FileMark("\(folder)/\(file)") else {
            if errno != ENOENT { refuse("\(name)/\(file)", in: root, errno) }
            continue
          }
          guard stamp.isRegular else {
            faults.append("\(folder)/\(file) is not a regular file")
            unusable.insert("\(name)/\(file)")
            continue
          }
          list.add(file, stamp)
        }
        add(list)
      }
    }
  }

  mutating func add(_ list: List) { lists.append(list) }

  // It exists, so nothing in it counts as vanished.
  private mutating func refuse(_ path: String, in root: String, _ code: Int32) {
    faults.append("\(root)/\(path) cannot be read: \(String(cString: strerror(code)))")
    unusable.insert(path)
  }

  enum Names {
    case names([String])
    case failed(Int32)

    func get(else error: (Int32) -> any Error) throws -> [String] {
      switch self {
      case .names(let names): names
      case .failed(let code): throw error(code)
      }
    }
  }

  /// The names in a folder, in order.
  static func entries(of folder: String) -> [String] {
    if case .names(let names) = names(in: folder) { names } else { [] }
  }

  static func names(in folder: String) -> Names {
    guard let stream = opendir(folder) else { return .failed(errno) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return .names(names.sorted())
  }

  /// 0 for a folder, ENOTDIR for anything else, and the system's error if neither is known.
  static func folderFault(_ path: String) -> Int32 {
    var status = stat()
    guard stat(path, &status) == 0 else { return errno }
    return status.st_mode & S_IFMT == S_IFDIR ? 0 : ENOTDIR
  }
}

/// Size, inode and times of a file.
struct FileMark: Hashable {
  /// The numbers that change with the file.
  struct Values: Hashable {
    let device: Int64
    let node: Int64
    let size: Int64
    /// The times of the last write and the last change, in nanoseconds since 1970.
    let written: Int64
    let changed: Int64

    init(_ status: stat) {
      (device, node) = (Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino))
      size = Int64(status.st_size)
      (written, changed) = (Self.nanoseconds(status.st_mtim), Self.nanoseconds(status.st_ctim))
    }

    /// The values of a mark's text; `nil` for another text.
    init?(_ text: String) {
      let values = text.split(separator: " ").compactMap { Int64($0) }
      guard values.count == 5 else { return nil }
      (device, node, size, written, changed) = (values[0], values[1], values[2], values[3], values[4])
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
      Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int64(time.tv_nsec)
    }
  }

  /// True for a regular file.
  let isRegular: Bool
  /// True if any user may write it.
  let isWritable: Bool
  private let values: Values
  /// The time of the last write, in seconds since 1970.
  let writtenAt: Int64

  /// The mark of the file at a path, without following a link; `nil` for none.
  init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isWritable = status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH) != 0
    values = Values(status)
    writtenAt = Int64(status.st_mtim.tv_sec)
  }

  var size: Int64 { values.size }

  /// The later of its times, in nanoseconds since 1970. The time of a change may lie in the future of a clock that was set
  /// back, or of a file from elsewhere.
  var changedAt: Int64 { max(values.written, values.changed) }

  /// The whole mark as a text.
  var text: String { "\(values.device) \(values.node) \(values.size) \(values.written) \(values.changed)" }
}

/// The content of a file at one moment.
struct FileBytes {
  /// The most bytes of a file.
  static let limit = 1 << 25

  let bytes: [UInt8]
  let stamp: FileMark

  /// Reads a file.
  ///
  /// - Throws: ``Unreadable``, also for a file that changes meanwhile.
  init(_ path: String) throws(Unreadable) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { throw Unreadable(code: errno, reason: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Unreadable(code: 0, reason: "it is not a regular file")
    }
    guard status.st_size <= Self.limit else {
      throw Unreadable(code: 0, reason: "it is larger than \(Self.limit >> 20) MiB")
    }
    stamp = FileMark(status)
    do throws(SystemCallFailure) {
      bytes = try OpenFile.read(descriptor, upTo: Int(status.st_size) + 1)
    } catch {
      throw Unreadable(code: error.code, reason: String(cString: strerror(error.code)))
    }
    guard fstat(descriptor, &status) == 0, FileMark(status) == stamp, bytes.count == Int(stamp.size) else {
      throw Unreadable(code: 0, reason: "it is being written")
    }
  }

  static func digest(_ bytes: [UInt8]) -> [UInt8] { SHA256.digest(bytes) }
}

/// The reason why a file cannot be read.
struct Unreadable: Error {
  /// The system's error; 0 for none.
  let code: Int32
  let reason: String

  /// True if there is no such file.
  var isMissing: Bool { code == ENOENT || code == ENOTDIR }
}
