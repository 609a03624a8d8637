import BelfryEngine
import FoundationEssentials
import WebAccess

/// A request with a key that is being carried out.
struct OnceTicket: Sendable {
  /// The form that is being carried out; see ``OnceForms``.
  @TaskLocal static var form: OnceTicket?

  let request: OnceRequest
  let began: Date
  let access: AccessStore

  /// The identity under which the store notes that the request is done.
  var identity: String { request.identity(begun: began) }

  /// Keeps replies to requests of one server, before they take effect.
  ///
  /// - Parameter transaction: the store's transaction that makes their changes; `nil` for requests whose work no
  ///   transaction covers.
  static func keep(_ replies: [(OnceTicket, KeptReply)], in transaction: (any StoreTransaction)? = nil) throws {
    guard let access = replies.first?.0.access else { return }
    let replies = replies.map { ticket, reply in
      AccessStore.GivenReply(reply: reply, request: ticket.request, began: ticket.began)
    }
    try access.keep(replies, in: transaction)
  }
}
