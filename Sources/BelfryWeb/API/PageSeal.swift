import Digests
import WebAccess

/// Seals the positions of pages, so that a cursor is accepted only if a server of this store handed it out, for the
/// same path and to a visitor with the same rights. Clients cannot make up positions.
struct PageSeal: Sendable {
  private static let codeLength = 16

  private let key: [UInt8]
  private let binding: String

  /// A seal for one path and one visitor.
  init(key: [UInt8], path: String, grant: Access.Grant) {
    self.key = key
    let lists = grant.lists.map(\.uuidString).sorted().joined(separator: ",")
    binding = "\(path)\n\(grant.scope.rawValue)\n\(grant.person ?? "")\n\(lists)"
  }

  /// The cursor of a place.
  func close(_ place: String) -> String { Base64URL.encode(code(of: place) + Array(place.utf8)) }

  /// The place of a cursor; `nil` if the cursor was not made by a seal for the same path and rights.
  func open(_ cursor: String) -> String? {
    let count = cursor.utf8.count * 3 / 4
    guard count > Self.codeLength, let bytes = Base64URL.decode(cursor, count: count),
      let place = String(validating: bytes.dropFirst(Self.codeLength), as: UTF8.self),
      isEqualInConstantTime(code(of: place), bytes.prefix(Self.codeLength))
    else { return nil }
    return place
  }

  private func code(of place: String) -> [UInt8] {
    var code = HMACSHA256(key: key)
    code.update(Array("\(binding)\n\(place)".utf8))
    return Array(code.finish().prefix(Self.codeLength))
  }
}

extension APIRequest {
  /// The page that the query asks for.
  ///
  /// - Throws: ``Problem`` 400.
  func page() async throws -> PageRequest {
    let path = head.path?.prefix { $0 != "?" } ?? ""
    let key = try await services.sealing.value(services.once.visitors)
    return try PageRequest(query, PageSeal(key: key, path: String(path), grant: visitor.grant))
  }
}
