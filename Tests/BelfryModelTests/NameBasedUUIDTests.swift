import BelfryTestKit
import Digests
import Foundation
import Testing

import TestSupport

@Suite struct NameBasedUUIDTests {
  private static let dns = UUID(uuidString: "6ba7b810-9dad-11d1-80b4-00c04fd430c8")

  @Test("the example of RFC 9562 comes out, and Python's of the same name")
  func published() throws {
    let dns = try #require(Self.dns)
    #expect(
      UUID(namespace: dns, name: "www.example.com").uuidString.lowercased() == "2ed6657d-e927-568b-95e1-2665a8aea6a2")
    #expect(
      UUID(namespace: dns, name: "python.org").uuidString.lowercased() == "886313e1-3b8a-5372-9b90-0c9aee199e5d")
  }

  @Test("version and variant are those of RFC 9562", arguments: 0..<50)
  func bits(number: Int) {
    let uuid = UUID(namespace: .belfry, name: "\(number)").uuid
    #expect(uuid.6 >> 4 == 5)
    #expect(uuid.8 >> 6 == 0b10)
  }

  @Test("names in every script have the UUID that Python's uuid5 gives them")
  func agreesWithPython() throws {
    var generator = SeededGenerator(seed: 5)
    let names = (0..<300).map { index in
      var name = ""
      while name.unicodeScalars.count < index {
        let scalar = Unicode.Scalar(UInt32.random(in: 0x20...0x1_FFFF, using: &generator))
        if let scalar, scalar.properties.generalCategory != .control { name.unicodeScalars.append(scalar) }
      }
      return name
    }
    let expected = try Python.lines(
      """
      import sys, uuid
      namespace = uuid.UUID("\(UUID.belfry.uuidString)")
      for line in sys.stdin:
          print(uuid.uuid5(namespace, bytes.fromhex(line.strip()).decode("utf-8")))
      """, names.map { $0.utf8.map { hex($0) }.joined() } + [""])
    #expect(names.map { UUID(namespace: .belfry, name: $0).uuidString.lowercased() } == expected)
  }

  @Test("SHA-1 is right for every length around the borders of blocks")
  func digests() throws {
    let lengths = Array(0...260) + [511, 512, 513, 1_000, 65_535, 65_536]
    let expected = try Python.lines(
      """
      import hashlib, sys
      for line in sys.stdin:
          print(hashlib.sha1(bytes(i * 7 % 256 for i in range(int(line)))).hexdigest())
      """, lengths.map { "\($0)" })
    let actual = lengths.map { length in
      digest((0..<length).map { UInt8($0 * 7 % 256) })
    }
    #expect(actual == expected)
  }

  @Test("the vectors of RFC 3174 come out")
  func digestVectors() {
    let vectors = [
      ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
      ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
      (String(repeating: "01234567", count: 80), "dea356a2cddd90c7a7ecedc5ebb563934f460452"),
    ]
    for (text, expected) in vectors { #expect(digest(Array(text.utf8)) == expected) }
  }

  private func digest(_ message: [UInt8]) -> String {
    var digest = SHA1()
    var bytes = [UInt8](repeating: 0, count: 20)
    message.withUnsafeBytes { digest.update($0) }
    bytes.withUnsafeMutableBytes { digest.finish(into: $0) }
    return bytes.map(hex).joined()
  }

  private func hex(_ byte: UInt8) -> String { String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }
}
