import Foundation

/// A plot as SVG, readable on light and dark pages, without external fonts, scripts or styles.
struct PlotDrawing {
  // The size of the picture and the plot's area in it, in pixels; the names of the curves are to its right.
  private static let size = (width: 760.0, height: 420.0)
  private static let area = (left: 64.0, top: 40.0, right: 560.0, bottom: 370.0)
  // Colours that also differ in brightness, and are visible on white and on black.
  private static let colours = ["#d9480f", "#1c7ed6", "#2f9e44", "#9c36b5", "#b08900", "#0c8599", "#e64980", "#868e96"]

  private let plot: Plot
  private let decades: (x: ClosedRange<Int>, y: ClosedRange<Int>)

  init(_ plot: Plot) {
    self.plot = plot
    let points = plot.curves.flatMap(\.points)
    decades = (Self.decades(points.map(\.items)), Self.decades(points.map(\.milliseconds)))
  }

  var svg: String {
    let parts = [head, grid, plot.curves.indices.map(curve).joined(), names, "</svg>\n"]
    return parts.joined()
  }

  private var head: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.size.width)) \(Int(Self.size.height))" role="img" \
    font-family="system-ui, sans-serif" font-size="13" fill="#868e96">
    <title>Time to \(plot.title) by the number of items</title>
    <text x="\(Self.area.left)" y="20" font-size="15">Time to \(plot.title), by the number of items</text>

    """
  }

  private var grid: String {
    let vertical = decades.x.map { decade in
      let x = Self.text(x(pow(10, Double(decade))))
      return """
        <path d="M\(x) \(Self.area.top)V\(Self.area.bottom)" stroke="#868e96" stroke-opacity=".3"/>
        <text x="\(x)" y="\(Self.area.bottom + 20)" text-anchor="middle">\(Self.count(decade))</text>

        """
    }
    let horizontal = decades.y.map { decade in
      let y = Self.text(y(pow(10, Double(decade))))
      return """
        <path d="M\(Self.area.left) \(y)H\(Self.area.right)" stroke="#868e96" stroke-opacity=".3"/>
        <text x="\(Self.area.left - 8)" y="\(y)" dy=".35em" text-anchor="end">\(Self.time(decade))</text>

        """
    }
    return vertical.joined() + horizontal.joined()
  }

  private func curve(_ index: Int) -> String {
    let points = plot.curves[index].points.map { (x($0.items), y($0.milliseconds)) }
    let path = points.map { "\(Self.text($0.0)) \(Self.text($0.1))" }.joined(separator: "L")
    let dots = points.map { #"<circle cx="\#(Self.text($0.0))" cy="\#(Self.text($0.1))" r="3.5"/>"# }.joined()
    let colour = Self.colours[index % Self.colours.count]
    let width = index == 0 ? "3" : "1.8"
    return
      #"<g fill="\#(colour)"><path d="M\#(path)" fill="none" stroke="\#(colour)" stroke-width="\#(width)"/>\#(dots)</g>"#
      + "\n"
  }

  // The curves' names in the order of their ends, spaced so that they can be read.
  private var names: String {
    let ends = plot.curves.indices.map { index -> (index: Int, y: Double) in
      (index, y(plot.curves[index].points.last?.milliseconds ?? 1))
    }.sorted { $0.y < $1.y }
    var lowest = Self.area.top - 10
    let highestLast = Self.area.bottom + 10
    return ends.enumerated().map { place, end in
      let room = highestLast - Double(ends.count - 1 - place) * 18
      let y = min(max(end.y, lowest + 18), room)
      lowest = y
      let colour = Self.colours[end.index % Self.colours.count]
      return """
        <text x="\(Self.area.right + 14)" y="\(Self.text(y))" dy=".35em" fill="\(colour)">\(plot.curves[end.index].peer)</text>

        """
    }.joined()
  }

  private func x(_ value: Double) -> Double {
    Self.place(value, decades.x, from: Self.area.left, to: Self.area.right)
  }

  private func y(_ value: Double) -> Double {
    Self.place(value, decades.y, from: Self.area.bottom, to: Self.area.top)
  }

  private static func place(_ value: Double, _ decades: ClosedRange<Int>, from: Double, to: Double) -> Double {
    let part = (log10(value) - Double(decades.lowerBound)) / Double(decades.upperBound - decades.lowerBound)
    return from + (to - from) * part
  }

  private static func decades(_ values: [Double]) -> ClosedRange<Int> {
    let low = Int(log10(values.min() ?? 1).rounded(.down))
    return low...max(low + 1, Int(log10(values.max() ?? 10).rounded(.up)))
  }

  private static func text(_ number: Double) -> String { String(format: "%.1f", number) }

  private static func count(_ decade: Int) -> String { Figure.grouped(Int(pow(10, Double(max(0, decade))))) }

  private static func time(_ decade: Int) -> String {
    decade >= 3
      ? "\(Figure.grouped(Int(pow(10, Double(decade - 3))))) s" : "\(Figure.plain(pow(10, Double(decade)))) ms"
  }
}
