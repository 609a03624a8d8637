import BelfryModel

/// The deliveries that a page shows.
struct DeliveryFilter: Sendable {
  /// The deliveries of one page.
  static let length = 50

  var state: Delivery.State?
  var sink: String?
  /// The number of the list that they belong to; `nil` for all lists.
  var list: Int64?
  /// The number below which their numbers must be, the last one of the previous page; `nil` on the first page.
  var before: Int64?

  init() {}

  /// The deliveries that a query names.
  ///
  /// - Throws: ``Problem`` 400.
  init(_ fields: FormFields) throws(Problem) {
    let words = try fields.text("state") ?? ""
    state = Delivery.State.allCases.first { $0.name == words }
    guard words.isEmpty || state != nil else {
      let names = Delivery.State.allCases.map(\.name).joined(separator: ", ")
      throw Problem(.badRequest, "'state' must be one of \(names)", hint: "leave it out for all deliveries")
    }
    sink = try fields.text("sink").flatMap { $0.isEmpty ? nil : $0 }
    if try fields.text("list") != "" { list = try fields.number("list") }
    before = try fields.number("before")
  }

  /// The path of the page that shows them.
  var path: String { path(before: before) }

  /// The path of another page of them.
  func path(before: Int64?) -> String {
    let query = [
      state.map { "state=\($0.name)" }, sink.map { "sink=\(FormFields.encoded($0))" }, list.map { "list=\($0)" },
      before.map { "before=\($0)" },
    ].compactMap(\.self).joined(separator: "&")
    return "/deliveries" + (query.isEmpty ? "" : "?\(query)")
  }

  /// The path of the page with these deliveries, as far as they are in a state.
  func path(in state: Delivery.State?) -> String {
    var filter = self
    filter.state = state
    return filter.path(before: nil)
  }
}
