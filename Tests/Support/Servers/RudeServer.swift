import BelfryTestKit
import Foundation

/// A misbehaving server, over plain TCP.
package final class RudeServer: Sendable {
  package enum Manner: String, CaseIterable, Sendable {
    /// Accepts the connection and never answers.
    case silent
    /// Answers with something that is neither HTTP nor SMTP.
    case garbage
    /// Resets the connection at the first byte.
    case reset
    /// Closes the connection after the request, without an answer.
    case closing
    /// HTTP: answers 200, then sends an endless body, a byte each second.
    case slowBody = "slow-body"
    /// HTTP: sends the status line a byte each second.
    case slowHeader = "slow-header"
    /// HTTP: answers 200 with a body of 1 GB.
    case hugeBody = "huge-body"
    /// HTTP: sends header fields without an end.
    case endlessHeader = "endless-header"
    /// HTTP: promises 100 bytes and closes after 10.
    case truncated
    /// HTTP: answers 204, and closes after the next request on the same connection, without an answer.
    case closingKept = "closing-kept"
    /// SMTP: drops the connection after the final dot.
    case droppingAfterDot = "drop-after-dot"
    /// SMTP: answers the final dot a byte each second.
    case slowReply = "slow-reply"
    /// SMTP: answers EHLO with lines without an end.
    case endlessReply = "endless-reply"
    /// SMTP: offers only an uncommon AUTH mechanism.
    case foreignAuthentication = "foreign-auth"
    /// SMTP: refuses a token with a reason in JSON, sent as a challenge.
    case refusingToken = "refuse-token"
    /// SMTP: refuses at the final dot with several lines, and then says nothing more.
    case refusingAfterDot = "refuse-after-dot"
  }

  /// The address, `127.0.0.1:1234`, to follow `http://` or `smtp://`.
  package let address: String
  private let process: ServerProcess

  /// Starts a server and waits until it listens.
  ///
  /// - Throws: ``BelfryError`` `.cannotCreate`.
  package init(_ manner: Manner) throws {
    let folder = try TemporaryFolder(in: TemporaryFolder.inMemory)
    process = try ServerProcess.python(Self.program, [manner.rawValue], in: folder)
    address = "127.0.0.1:\(try process.announcedPort())"
  }

  /// The state of each connection so far, in order: `open`, or `closed` by the client.
  ///
  /// - Throws: errors of reading and decoding.
  package func connections() throws -> [String] { try process.records(String.self) }

  package func stop() { process.stop() }

  private static let program = #"""
    import json, select, socket, struct, sys, threading

    manner = sys.argv[1]
    lock = threading.Lock()
    records = open("records.jsonl", "a")

    def record(word):
        with lock:
            records.write(json.dumps(word) + "\n")
            records.flush()

    def drip(peer, data):
        # A byte each second, until the other side has had enough.
        for byte in data:
            peer.sendall(bytes([byte]))
            poller = select.poll()
            poller.register(peer, select.POLLRDHUP)
            if poller.poll(1000):
                return

    def forever(byte):
        while True:
            yield byte

    def until_closed(peer):
        while peer.recv(65536):
            pass

    def read_request(file):
        length = 0
        for line in file:
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
            if line == b"\r\n":
                return file.read(length)

    def http(peer, file):
        read_request(file)
        start = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
        if manner == "slow-body":
            peer.sendall(start + b"\r\n")
            drip(peer, forever(120))
        elif manner == "slow-header":
            drip(peer, start)
        elif manner == "huge-body":
            peer.sendall(start + b"Content-Length: 1073741824\r\n\r\n")
            block = b"x" * 1048576
            for _ in range(1024):
                peer.sendall(block)
        elif manner == "endless-header":
            peer.sendall(start)
            while True:
                peer.sendall(b"X-More: " + b"x" * 1000 + b"\r\n")
        elif manner == "truncated":
            peer.sendall(start + b"Content-Length: 100\r\n\r\n0123456789")

    def smtp(peer, file):
        peer.sendall(b"220 rude ESMTP\r\n")
        in_data = False
        for line in file:
            if in_data:
                if line != b".\r\n":
                    continue
                in_data = False
                if manner == "drop-after-dot":
                    return
                if manner == "slow-reply":
                    drip(peer, b"250 " + b"slow " * 1000 + b"\r\n")
                    return
                peer.sendall(b"554-5.7.1 First line\r\n554 5.7.1 Second line\r\n")
                until_closed(peer)
                return
            word = line[:4].upper()
            if word == b"EHLO" and manner == "endless-reply":
                while True:
                    peer.sendall(b"250-" + b"x" * 500 + b"\r\n")
            if word == b"EHLO" and manner == "foreign-auth":
                peer.sendall(b"250-rude\r\n250 AUTH CRAM-MD5\r\n")
            elif word == b"EHLO" and manner == "refuse-token":
                peer.sendall(b"250-rude\r\n250 AUTH XOAUTH2\r\n")
            elif word == b"AUTH" and manner == "refuse-token":
                peer.sendall(b"334 \r\n")
                next(file)
                # {"status":"401","scope":"mail"}
                peer.sendall(b"334 eyJzdGF0dXMiOiI0MDEiLCJzY29wZSI6Im1haWwifQ==\r\n")
            elif word == b"EHLO":
                peer.sendall(b"250-rude\r\n250 8BITMIME\r\n")
            elif word == b"DATA":
                peer.sendall(b"354 go ahead\r\n")
                in_data = True
            else:
                peer.sendall(b"250 ok\r\n")

    def serve(peer):
        record("open")
        file = peer.makefile("rb")
        try:
            if manner == "silent":
                until_closed(peer)
            elif manner == "garbage":
                peer.sendall(b"\x00\x01\xff\xfe what a day\r\n" * 3)
                until_closed(peer)
            elif manner == "reset":
                peer.recv(1)
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            elif manner == "closing":
                read_request(file)
            elif manner == "closing-kept":
                read_request(file)
                peer.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
                read_request(file)
            elif manner in ("drop-after-dot", "slow-reply", "endless-reply", "refuse-after-dot",
                            "foreign-auth", "refuse-token"):
                smtp(peer, file)
            else:
                http(peer, file)
        except OSError:
            pass
        finally:
            record("closed")
            file.close()
            peer.close()

    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    print(listener.getsockname()[1], flush=True)
    while True:
        peer, _ = listener.accept()
        threading.Thread(target=serve, args=(peer,), daemon=True).start()
    """#
}
