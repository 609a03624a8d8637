import CDesktopBus
import Glibc

/// A connection to a bus of D-Bus. One thread at a time uses it.
final class BusConnection {
  /// The bus's own name and path.
  static let bus = BusObject(name: "org.freedesktop.DBus", path: "/org/freedesktop/DBus")
  /// The most microseconds that connecting may take.
  private static let openLimit: UInt64 = 5_000_000
  /// The time limit of several calls together, of which the first may have to start a notification server.
  private static let callLimit = Duration.seconds(10)

  /// The id of the bus, which changes each time that the bus starts.
  let identity: String
  private let raw: OpaquePointer
  private var deadline = ContinuousClock.now + callLimit

  /// Connects to the bus at an address.
  init(to address: String) throws(BusFailure) {
    if let reason = belfry_bus_load() { throw .noLibrary(String(cString: reason)) }
    var opened: OpaquePointer?
    let code = belfry_bus_open(address, Self.openLimit, &opened)
    guard let opened else { throw .unreachable(address: address, code: -code) }
    raw = opened
    var text = [CChar](repeating: 0, count: 33)
    let isKnown = belfry_bus_identity(raw, &text) >= 0
    identity = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard isKnown else { throw .ended }
  }

  deinit { belfry_bus_close(raw) }

  /// Readable when a message arrives; belongs to the connection.
  var descriptor: Int32 { belfry_bus_descriptor(raw) }

  /// Starts the time limit that the following calls share.
  func beginCalls() { deadline = .now + Self.callLimit }

  /// Calls a method and waits for the reply.
  ///
  /// - Parameters:
  ///   - limit: the most microseconds that it may take.
  ///   - arguments: appends the method's arguments.
  func call(
    _ object: BusObject, _ interface: String, _ member: String, within limit: UInt64 = .max,
    _ arguments: (BusMessage) -> Void = { _ in }
  ) throws(BusFailure) -> BusMessage {
    var made: OpaquePointer?
    let code = belfry_bus_new_call(raw, object.name, object.path, interface, member, &made)
    guard let made else { throw BusFailure(code: -code, words: "") }
    let call = BusMessage(made)
    arguments(call)
    if let fault = call.fault {
      throw .refused("the bus cannot carry the message: \(String(cString: strerror(fault)))")
    }
    var reply: OpaquePointer?
    var words = [CChar](repeating: 0, count: 512)
    let result = belfry_bus_call(raw, call.raw, max(1, min(limit, remaining)), &reply, &words, words.count)
    guard let reply else {
      let bytes = words.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      throw BusFailure(code: -result, words: String(decoding: bytes, as: UTF8.self))
    }
    return BusMessage(reply)
  }

  /// The microseconds that are left to the calls; at least 1, since 0 would mean sd-bus's own limit.
  var remaining: UInt64 { UInt64(max(1, (deadline - .now) / .microseconds(1))) }

  /// The next message that has arrived; `nil` if there is none. Never waits.
  func receive() throws(BusFailure) -> BusMessage? {
    var message: OpaquePointer?
    let code = belfry_bus_receive(raw, &message)
    guard code >= 0 else { throw .ended }
    return message.map(BusMessage.init)
  }

  /// Has the bus send all signals that match a rule.
  func subscribe(to rule: String) throws(BusFailure) {
    _ = try call(Self.bus, Self.bus.name, "AddMatch") { $0.append(rule) }
  }

  func unsubscribe(from rule: String) throws(BusFailure) {
    _ = try call(Self.bus, Self.bus.name, "RemoveMatch") { $0.append(rule) }
  }

  /// The unique name of the program that owns a name; `nil` if none does.
  func owner(of name: String) throws(BusFailure) -> String? {
    do {
      return try call(Self.bus, Self.bus.name, "GetNameOwner") { $0.append(name) }.text()
    } catch {
      guard case .absent = error else { throw error }
      return nil
    }
  }
}

/// An object that a program has on a bus.
struct BusObject: Hashable, Sendable {
  let name: String
  let path: String
}
