import CCurl
import Transport

/// Passes libcurl's debug output for a transfer to a caller's trace, line by line.
final class DialogueListener {
  /// Longer lines are split, and at most ``maximum`` bytes of a transfer's contents are traced.
  private static let longestLine = 4_096
  private static let maximum = 65_536

  private let trace: @Sendable (TransferLine) -> Void
  private var contentCount = 0

  init(_ trace: @escaping @Sendable (TransferLine) -> Void) { self.trace = trace }

  /// Listens to a transfer; must live as long as the transfer.
  func listen(to easy: EasyHandle) {
    easy.record(belfry_curl_set_listener(easy.raw, receiveDebugOutput, Unmanaged.passUnretained(self).toOpaque()))
  }

  /// Traces a piece of debug output.
  func forward(_ kind: curl_infotype, _ bytes: UnsafeRawBufferPointer) {
    switch kind {
    case CURLINFO_TEXT: forward(bytes[...], as: TransferLine.note)
    case CURLINFO_HEADER_IN: forward(bytes[...], as: TransferLine.received)
    case CURLINFO_HEADER_OUT: forward(bytes[...], as: TransferLine.sent)
    case CURLINFO_DATA_IN: forward(content: bytes, as: TransferLine.received)
    case CURLINFO_DATA_OUT: forward(content: bytes, as: TransferLine.sent)
    default: break
    }
  }

  private func forward(content bytes: UnsafeRawBufferPointer, as line: (String) -> TransferLine) {
    let room = max(0, Self.maximum - contentCount)
    contentCount += min(bytes.count, room)
    forward(bytes.prefix(room), as: line)
  }

  private func forward(_ bytes: Slice<UnsafeRawBufferPointer>, as line: (String) -> TransferLine) {
    for piece in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      var rest = piece
      while !rest.isEmpty {
        trace(line(String(decoding: rest.prefix(Self.longestLine), as: UTF8.self)))
        rest = rest.dropFirst(Self.longestLine)
      }
    }
  }
}

private func receiveDebugOutput(
  easy: UnsafeMutableRawPointer?, kind: curl_infotype, bytes: UnsafeMutablePointer<CChar>?, count: Int,
  context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let context else { return 0 }
  Unmanaged<DialogueListener>.fromOpaque(context).takeUnretainedValue()
    .forward(kind, UnsafeRawBufferPointer(start: bytes, count: count))
  return 0
}
