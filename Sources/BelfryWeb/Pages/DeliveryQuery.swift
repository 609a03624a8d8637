import BelfryModel

/// The deliveries that a page shows.
struct DeliveryQuery: Sendable {
  /// The deliveries of one page.
  static let length = 50
  // Each page before has to be read past.
  private static let mostPages: Int64 = 100_000

  var state: Delivery.State?
  var sink: String?
  /// The number of a list.
  var list: Int64?
  /// The number of the page, from 1.
  var page = 1

  init() {}

  /// The deliveries that a query names.
  ///
  /// - Throws: ``Problem`` 400.
  init(_ fields: FormFields) throws(Problem) {
    let words = try fields.text("state") ?? ""
    state = Delivery.State.allCases.first { $0.name == words }
    guard words.isEmpty || state != nil else {
      let names = Delivery.State.allCases.map(\.name).joined(separator: ", ")
      throw Problem(.badRequest, "'state' is none of \(names)", hint: "leave it out for all deliveries")
    }
    sink = try fields.text("sink").flatMap { $0.isEmpty ? nil : $0 }
    if try fields.text("list") != "" { list = try fields.number("list") }
    page = Int(min(max(try fields.number("page") ?? 1, 1), Self.mostPages))
  }

  /// The path of the page that shows them.
  var path: String { path(page: page) }

  /// The path of another page of them.
  func path(page: Int) -> String {
    let query = [
      state.map { "state=\($0.name)" }, sink.map { "sink=\(FormFields.encoded($0))" }, list.map { "list=\($0)" },
      page > 1 ? "page=\(page)" : nil,
    ].compactMap(\.self).joined(separator: "&")
    return "/deliveries" + (query.isEmpty ? "" : "?\(query)")
  }

  /// The same deliveries, in a state.
  func path(in state: Delivery.State?) -> String {
    var query = self
    query.state = state
    return query.path(page: 1)
  }
}
