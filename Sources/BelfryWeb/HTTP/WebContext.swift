import Hummingbird
import NIOCore
import WebAccess

/// The context of a request: its peer and its visitor.
struct WebContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The address that it came from; `nil` over a socket in the file system.
  let peer: String?
  /// The right that it came with, behind a ``VisitorRule``.
  var visitor: Access?

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    peer = source.channel.remoteAddress?.ipAddress
  }
}
