import Foundation

/// The webhooks that the collector of a chaos run has logged, read as they come.
actor ChaosArrivals {
  /// A message as it arrived.
  struct Arrival: Decodable {
    /// In seconds since 1970.
    let time: Double
    let body: JSON

    /// The text of the item that rings; `nil` for a message of another kind.
    var ringing: String? { body["type"] == .text("reminder.fired") ? body["data"]?["item"]?["text"]?.text : nil }
  }

  private let path: String
  private var offset: UInt64 = 0
  private var known: [Arrival] = []
  private var first: [String: JSON] = [:]

  /// - Parameter path: the collector's log.
  init(_ path: String) { self.path = path }

  /// All of them, in order.
  var all: [Arrival] {
    get throws {
      try read()
      return known
    }
  }

  /// The first message that rings an item; `nil` before.
  func first(of text: String) throws -> JSON? {
    try read()
    return first[text]
  }

  // The last line may still be incomplete.
  private func read() throws {
    guard let file = FileHandle(forReadingAtPath: path) else { return }
    try file.seek(toOffset: offset)
    let data = try file.readToEnd() ?? Data()
    guard let end = data.lastIndex(of: UInt8(ascii: "\n")) else { return }
    offset += UInt64(data.distance(from: data.startIndex, to: end) + 1)
    for line in data[..<end].split(separator: UInt8(ascii: "\n")) {
      let arrival = try JSONDecoder().decode(Arrival.self, from: line)
      known.append(arrival)
      if let text = arrival.ringing, first[text] == nil { first[text] = arrival.body }
    }
  }
}
