import BelfryModel
import BelfryTestKit
import Foundation
import Testing

@testable import Interchange

@Suite("Items that belong to others")
struct ItemOutlineTests {
  /// The outline of items named by letters, each with its parent: `a`, `b` below `a` as `b<a`.
  private func outline(_ words: String) -> String {
    Self.outline(words).rows.map { String(repeating: ".", count: $0.depth) + $0.listing.item.text }
      .joined(separator: " ")
  }

  private static func outline(_ words: String) -> ItemOutline {
    let listings = words.split(separator: " ").enumerated().map { index, word in
      let parts = word.split(separator: "<")
      var item = Item(
        id: Int64(index), uuid: UUID(calendarUID: String(parts[0])), listID: 1, position: Int64(index),
        text: String(parts[0]), createdAt: Sample.now, updatedAt: Sample.now)
      if parts.count > 1 { item.properties = ["RELATED-TO:\(parts[1])"] }
      return ItemListing(item: item, listName: "L", nextFireDate: nil)
    }
    return ItemOutline(listings)
  }

  @Test("an item's neighbours are those of the same family, at the same depth")
  func siblings() {
    // In order: a .c ..e ..f .d b
    let outline = Self.outline("a b c<a d<a e<c f<c")
    let ids = outline.rows.map(\.listing.item.id)
    #expect(ids == [0, 2, 4, 5, 3, 1])
    let expected =
      [
        [nil, nil, 1], [nil, nil, 3], [nil, nil, 5], [4, 4, nil], [2, 2, nil], [0, 0, nil],
      ] as [[Int64?]]
    #expect(outline.siblings.map { [$0.first, $0.above, $0.below] } == expected)
    let flat = Self.outline("a b c").siblings
    #expect(flat.map { [$0.first, $0.above, $0.below] } == [[nil, nil, 1], [0, 0, 2], [0, 1, nil]])
  }

  @Test(
    "each item comes once, below the one that it belongs to, and a family where the first of it came",
    arguments: [
      ("a b c", "a b c"), ("a b c<a d<a e<c", "a .c ..e .d b"), ("c<a b a d", "a .c b d"), ("a<x b", "a b"),
      ("a<a b", "a b"), ("a<b b<a c", "a .b c"), ("d<a a<b b<a", "a .d .b"),
    ])
  func rows(words: String, expected: String) { #expect(outline(words) == expected) }

  @Test("a chain of many items is no deeper than memory allows")
  func chain() {
    let words = (1...20_000).map { "\($0)<\($0 - 1)" }.joined(separator: " ")
    #expect(outline(words).utf8.count > 20_000)
  }

  @Test(
    "only a parent counts",
    arguments: [
      (["RELATED-TO:u"], true), (["X-A:b", "RELATED-TO;RELTYPE=parent:u"], true),
      (["RELATED-TO;RELTYPE=CHILD:u"], false),
      (["RELATED-TOO:u"], false), (["BEGIN:VALARM", "RELATED-TO:u", "END:VALARM"], false), ([], false),
    ])
  func parent(properties: [String], isFound: Bool) {
    var item = Item(
      id: 1, uuid: UUID(), listID: 1, position: 1, text: "x", createdAt: Sample.now, updatedAt: Sample.now)
    item.properties = properties
    #expect(item.parent == (isFound ? UUID(calendarUID: "u") : nil))
  }
}
