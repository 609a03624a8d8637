import CCurl
import FoundationEssentials
import Glibc
import Synchronization

/// The sockets of a loop in which libcurl may block, so that another thread can end the wait.
final class SocketSet: Sendable {
  private let open = Mutex<Set<Int32>>([])

  /// Ends every wait for a reply; data already written is still sent.
  func stopReading() {
    open.withLock { sockets in
      for socket in sockets { shutdown(socket, Int32(SHUT_RD)) }
    }
  }

  /// Makes libcurl open and close its sockets in this set, which must outlive the connections.
  func watch(_ easy: EasyHandle) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    easy.record(belfry_curl_set_sockets(easy.raw, openSocket, closeSocket, context))
  }

  fileprivate func open(_ address: curl_sockaddr) -> Int32 {
    open.withLock { sockets in
      let descriptor = socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
      if descriptor >= 0 { sockets.insert(descriptor) }
      return descriptor
    }
  }

  fileprivate func close(_ descriptor: Int32) -> Int32 {
    // Under the lock, so that no thread shuts down a descriptor that was reused.
    open.withLock { sockets in
      sockets.remove(descriptor)
      return Glibc.close(descriptor)
    }
  }
}

private func openSocket(
  context: UnsafeMutableRawPointer?, purpose: curlsocktype, address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let context, let address else { return -1 }
  return Unmanaged<SocketSet>.fromOpaque(context).takeUnretainedValue().open(address.pointee)
}

private func closeSocket(context: UnsafeMutableRawPointer?, descriptor: curl_socket_t) -> Int32 {
  guard let context else { return -1 }
  return Unmanaged<SocketSet>.fromOpaque(context).takeUnretainedValue().close(descriptor)
}
