import Testing
import Transport

@Suite("Lines of a stream")
struct LineSplitterTests {
  private func lines(of pieces: [String], longest: Int = 100) -> [String] {
    var splitter = LineSplitter(longest: longest)
    return pieces.flatMap { splitter.lines(endedBy: Array($0.utf8)) }.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("lines are whole wherever the pieces end, and the last one counts only with its end")
  func pieces() {
    let text = "one\r\n\n\r\nzwölf\nthree"
    for size in 1...text.utf8.count {
      var splitter = LineSplitter(longest: 100)
      var found: [[UInt8]] = []
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        found += splitter.lines(endedBy: Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      #expect(found == [Array("one".utf8), Array("zwölf".utf8)], "in pieces of \(size)")
    }
    #expect(lines(of: ["three", "\n"]) == ["three"])
    #expect(lines(of: ["", "\n"]) == [])
  }

  @Test("a long line is cut at the limit, and the next one is whole again")
  func limit() {
    #expect(lines(of: ["1234567", "89", "0\nnext\n"], longest: 5) == ["12345", "next"])
    #expect(lines(of: ["12345\n123456\n"], longest: 5) == ["12345", "12345"])
  }

  @Test("a line without an end takes no more room than its limit, and no time that grows with it")
  func endless() {
    var splitter = LineSplitter(longest: 1_000)
    let piece = Array(repeating: UInt8(ascii: "x"), count: 65_536)
    for _ in 1...1_000 { #expect(splitter.lines(endedBy: piece).isEmpty) }
    #expect(splitter.lines(endedBy: [UInt8(ascii: "\n")]).map(\.count) == [1_000])
  }
}
