import Glibc

extension FolderListing {
  /// The folders with the files that may have changed since the mirror's last scan: only the unsettled ones, if all
  /// others are unchanged.
  ///
  /// - Throws: ``BelfryError`` if the root cannot be read.
  static func changeable(root: String, _ mirror: Mirror, _ failures: VdirFailures) throws -> FolderListing {
    let unsettled = Set(try mirror.unsettledFiles().map { PathHash($0.path.utf8) })
    if let listing = FolderListing(root: root, besides: try mirror.settledFiles(), unsettled) { return listing }
    return try FolderListing(root: root, failures)
  }

  /// The folders with their unsettled files; `nil` if a settled file may have changed, or something cannot be used.
  private init?(root: String, besides settled: SettledFiles, _ unsettled: Set<PathHash>) {
    guard settled.count > 0, let folders = Self.folders(in: root) else { return nil }
    var found = SettledFiles()
    for folder in folders {
      var list = List(root: root, folder: folder)
      let isUsable = Self.visit("\(root)/\(folder)") { name, status in
        var path = PathHash("\(folder)/".utf8)
        path.add(name)
        if unsettled.contains(path) {
          list.add(String(decoding: name, as: UTF8.self), FileMark(status))
        } else {
          found.add(SettledFiles.number(path, FileMark.Values(status)))
        }
      }
      guard isUsable else { return nil }
      list.sort()
      add(list)
    }
    guard found == settled else { return nil }
    isPartial = true
  }

  // The names of the folders; `nil` if another entry is a fault.
  private static func folders(in root: String) -> [String]? {
    guard case .names(let names) = names(in: root) else { return nil }
    var folders: [String] = []
    for name in names where name.first != "." {
      if name.unicodeScalars.contains("\u{FFFD}") { return nil }
      switch folderFault("\(root)/\(name)") {
      case 0: folders.append(name)
      case ENOENT, ENOTDIR: if isCalendar(name.utf8) { return nil }
      default: return nil
      }
    }
    return folders
  }

  // Visits the calendars in a folder; false if something in it cannot be used.
  private static func visit(_ folder: String, _ body: (UnsafeRawBufferPointer, stat) -> Void) -> Bool {
    guard let stream = opendir(folder) else { return false }
    defer { closedir(stream) }
    let descriptor = dirfd(stream)
    while let entry = readdir(stream) {
      let isUsable = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        let name = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.firstIndex(of: 0) ?? bytes.endIndex)])
        if name.first == UInt8(ascii: ".") { return !name.starts(with: keptPrefix.utf8) }
        guard isCalendar(name) else { return true }
        guard name.allSatisfy({ $0 < 0x80 }) || String(validating: name, as: UTF8.self) != nil else { return false }
        var status = stat()
        guard let start = bytes.bindMemory(to: CChar.self).baseAddress,
          fstatat(descriptor, start, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG
        else { return false }
        body(name, status)
        return true
      }
      guard isUsable else { return false }
    }
    return true
  }
}
