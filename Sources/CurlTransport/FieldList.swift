import CCurl

/// Header fields as libcurl's linked list, in reused memory, so that nothing is allocated for each field.
final class FieldList {
  private let text = RawBuffer()
  private let nodes = RawBuffer()

  /// Replaces the list.
  ///
  /// - Returns: the first node, which is valid until the next call.
  func fill(_ lines: [(name: String, separator: StaticString, value: String)]) -> UnsafeMutablePointer<curl_slist>? {
    let size = lines.reduce(0) { $0 + $1.name.utf8.count + $1.separator.utf8CodeUnitCount + $1.value.utf8.count + 1 }
    text.reserve(size)
    nodes.reserve(lines.count * MemoryLayout<curl_slist>.stride)
    let list = nodes.start.bindMemory(to: curl_slist.self, capacity: lines.count)
    for (index, line) in lines.enumerated() {
      let start = (text.start + text.count).assumingMemoryBound(to: CChar.self)
      text.append(line.name.utf8)
      text.append(UnsafeBufferPointer(start: line.separator.utf8Start, count: line.separator.utf8CodeUnitCount))
      text.append(line.value.utf8)
      text.append(CollectionOfOne(0))
      let next = index + 1 < lines.count ? list + index + 1 : nil
      (list + index).initialize(to: curl_slist(data: start, next: next))
    }
    return lines.isEmpty ? nil : list
  }
}
