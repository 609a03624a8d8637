import Foundation

/// The part of a text file between two markers, which the benchmark writes.
struct MarkedSection {
  static let begin = "<!-- bench:begin -->"
  static let end = "<!-- bench:end -->"

  private let path: String

  /// The section of a file.
  ///
  /// - Throws: ``BenchmarkError`` where the file does not have each marker once, in order.
  init(_ path: String) throws {
    self.path = path
    _ = try parts()
  }

  /// Replaces the text between the markers.
  func replace(with text: String) throws {
    let (before, after) = try parts()
    do {
      try "\(before)\(Self.begin)\n\(text)\n\(Self.end)\(after)".write(toFile: path, atomically: false, encoding: .utf8)
    } catch {
      throw BenchmarkError("cannot write \(path): \(error.localizedDescription)")
    }
  }

  // Read again before writing, so that edits made meanwhile are kept.
  private func parts() throws -> (before: Substring, after: Substring) {
    guard let content = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw BenchmarkError("cannot read \(path)")
    }
    let starts = content.ranges(of: Self.begin)
    let ends = content.ranges(of: Self.end)
    guard starts.count == 1, ends.count == 1, starts[0].upperBound <= ends[0].lowerBound else {
      throw BenchmarkError("\(path) must have '\(Self.begin)' once, and '\(Self.end)' once after it")
    }
    return (content[..<starts[0].lowerBound], content[ends[0].upperBound...])
  }
}
