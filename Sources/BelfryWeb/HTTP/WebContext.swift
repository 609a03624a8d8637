import Hummingbird
import NIOCore
import WebAccess

/// The context of a request: its peer and its visitor.
struct WebContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The address of the client; `nil` over a socket in the file system.
  let peer: String?
  /// The access of the request, set by a ``VisitorRule``.
  var visitor: Access?

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    peer = source.channel.remoteAddress?.ipAddress
  }
}
