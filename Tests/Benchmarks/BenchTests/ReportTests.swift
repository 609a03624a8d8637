import Foundation
import Testing

@testable import belfry_bench

@Suite("What the benchmark reports")
struct ReportTests {
  @Test("a summary tells the median and the quartiles of samples in any order")
  func summary() {
    let summary = Summary([5, 1, 4, 2, 3])
    #expect(summary.count == 5)
    #expect(summary.minimum == 1)
    #expect(summary.lowerQuartile == 2)
    #expect(summary.median == 3)
    #expect(summary.upperQuartile == 4)
    #expect(summary.maximum == 5)
    #expect(Summary([1, 2]).median == 1.5)
    #expect(Summary.quantile(0.99, of: (0...100).map(Double.init)) == 99)
  }

  @Test(
    "numbers show three digits that count, with their unit",
    arguments: [
      (4.123, RowUnit.milliseconds, "4.12 ms"), (17.26, .milliseconds, "17.3 ms"), (512.4, .milliseconds, "512 ms"),
      (30_512.2, .perSecond, "30,512 /s"), (0.0041, .secondsPerHour, "0.0041 CPU s/h"), (0, .perHour, "0.00 /h"),
      (187, .count, "187"), (-44_982, .milliseconds, "-44,982 ms"),
    ] as [(Double, RowUnit, String)])
  func figures(value: Double, unit: RowUnit, text: String) {
    #expect(Figure.text(value, unit) == text)
  }

  @Test("a row is held to its peer's median, from above and from below")
  func verdicts() {
    var row = Row("key", "label", .perSecond)
    row.add("Belfry", [10, 30, 20])
    row.add("C", [40])
    row.hold(to: "C", atLeast: 0.5)
    row.hold(to: "C", atMost: 0.4)
    row.hold(to: "nobody", atMost: 1)
    #expect(row.verdicts.map(\.isReached) == [true, false])
    #expect(row.verdicts.map(\.measured) == ["0.5 ×", "0.5 ×"])
  }

  @Test("a row is held to an amount, from above and from below")
  func amounts() {
    var row = Row("key", "label", .perSecond)
    row.add("Belfry", [1_500])
    row.hold(row.own, atLeast: 2_000)
    row.hold(row.own, "p99 ", atMost: 2_000)
    #expect(row.verdicts.map(\.isReached) == [false, true])
    #expect(row.verdicts.map(\.target) == ["≥ 2,000 /s", "p99 ≤ 2,000 /s"])
    #expect(row.verdicts.map(\.measured) == ["1,500 /s", "p99 1,500 /s"])
  }

  @Test("missed targets and failed measurements are reported")
  func failures() throws {
    var row = Row("start-up", "start-up", .milliseconds)
    row.add("Belfry", [100])
    row.hold(row.own, atMost: 1)
    var report = Report(machine: Machine(scratch: "/"), rounds: 1)
    report.rows = [row]
    report.failures = ["ring: no libfaketime"]
    #expect(report.text(in: "").contains("100 ms **not reached**"))
    #expect(report.text(in: "").contains("- ring: no libfaketime"))
  }

  @Test("a summary has the rows that say most, and one plot by its path from the page")
  func summaryOfRows() {
    var report = Report(machine: Machine(scratch: "/"), rounds: 1)
    for key in ["idle-cpu", "start-up"] {
      var row = Row(key, "row \(key)", .milliseconds)
      row.add("Belfry", [100])
      row.add("C", [50])
      report.rows.append(row)
    }
    report.plots = ["add", "show"].map { WrittenPlot(title: $0, file: "docs/plots/\($0).svg") }
    let lines = ["|  | Belfry | beside it |", "|---|---|---|", "| row start-up | 100 ms | C 50.0 ms |", ""]
    #expect(report.summary(in: "README.md") == (lines + ["![add](docs/plots/add.svg)"]).joined(separator: "\n"))
    #expect(report.summary(in: "docs/page.md").hasSuffix("\n![add](plots/add.svg)"))
  }

  @Test("the table replaces what stands between the markers and nothing else")
  func readme() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("readme-\(UUID().uuidString).md").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let (begin, end) = (MarkedSection.begin, MarkedSection.end)
    try "before\n\(begin)\nold\n\(end)\nafter\n".write(toFile: file, atomically: false, encoding: .utf8)
    try MarkedSection(file).replace(with: "new")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "before\n\(begin)\nnew\n\(end)\nafter\n")
    try "no markers".write(toFile: file, atomically: false, encoding: .utf8)
    #expect(throws: BenchmarkError.self) { try MarkedSection(file) }
  }

  @Test("a plot has a curve and a name for each peer that was measured at several sizes")
  func plot() throws {
    var entrants = [100, 10_000].flatMap { size in
      ["Belfry", "other"].map { peer in Entrant(peer: peer, items: size) { _ in Double(size) / 100 } }
    }
    entrants.append(Entrant(peer: "once", items: 100) { _ in 1 })
    let measured = try Contest(entrants: entrants, rounds: 3).measured()
    let svg = PlotDrawing(Plot("add", "add one item", measured)).svg
    #expect(svg.components(separatedBy: "<circle").count == 5)
    #expect(svg.contains(">Belfry</text>") && svg.contains(">other</text>") && !svg.contains("once"))
    #expect(svg.contains(">10,000</text>") && svg.contains(">100 ms</text>"))
  }

  @Test("an entrant that has used up its time is still measured twice")
  func rounds() throws {
    let measured = try Contest(entrants: [Entrant(peer: "Belfry") { _ in 1 }], rounds: 2).measured()
    #expect(measured.map(\.samples.count) == [2])
  }

  @Test("an unknown group or option is refused with the usage")
  func options() throws {
    #expect(throws: BenchmarkError.self) { try Options(["--only", "nothing"]) }
    #expect(throws: BenchmarkError.self) { try Options(["--nothing"]) }
    #expect(try Options(["--only", "ring,mail", "--quick"])?.groups == [.ring, .mail])
    #expect(try Options(["--help"]) == nil)
  }
}
