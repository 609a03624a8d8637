import BelfryEngine
import BelfryModel
import Foundation

extension StoreConformance {
  static let keys: [Case] = [
    Case("an item is found by its key, byte for byte, also once it is checked") { fixture in
      let store = try fixture.open()
      let keys = ["caf\u{e9}", "cafe\u{301}", "CAF\u{c9}", "disk-full", String(repeating: "x", count: 200)]
      try store.write { transaction in
        try transaction.addSampleList()
        try transaction.addSampleItem("none", to: 1)
        for key in keys { try transaction.addSampleItem(to: 1, key: key) }
        var checked = try Check.present(transaction.item(id: 5)).item
        checked.isChecked = true
        try transaction.update(checked)
        try Check.equal(transaction.item(key: "disk-full")?.item.id, 5, "the item of a key, inside")
      }
      try fixture.open().read { view in
        for (index, key) in keys.enumerated() {
          let listing = try Check.present(view.item(key: key), "the item with the key \(key)")
          try Check.equal(listing, view.item(id: Int64(index + 2)), "the item")
          try Check.sameBytes(listing.item.key, key, "the key")
        }
        try Check.equal(view.item(key: "Disk-full"), nil, "an unknown key")
        try Check.equal(view.item(key: ""), nil, "no key")
      }
    },
    Case("a key that an item has given up, or that went with its item, is free for another") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        for key in ["a", "b"] { try transaction.addSampleItem(to: 1, key: key) }
        try transaction.setKey("c", ofItem: 1)
        try transaction.setKey("a", ofItem: 2)
        try Check.equal(transaction.item(key: "a")?.item.id, 2, "the item of a key that moved, inside")
        try Check.equal(transaction.item(key: "b"), nil, "the item of a key that was given up, inside")
      }
      try store.write { transaction in
        try transaction.deleteItem(id: 2)
        try transaction.setKey(nil, ofItem: 1)
        try Check.equal(transaction.addSampleItem(to: 1, key: "a").id, 3, "the item with the key of a deleted one")
      }
      try fixture.open().read { view in
        try Check.equal(view.item(key: "a")?.item.id, 3, "the item of a key")
        for key in ["b", "c"] { try Check.equal(view.item(key: key), nil, "the item of a key that is free") }
        try Check.equal(view.items().map(\.key), [nil, "a"], "the keys")
      }
    },
    Case("a key is never that of two items") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        try transaction.addSampleItem(to: 1, key: "a")
        try transaction.addSampleItem(to: 1)
      }
      for change in [{ try $0.setKey("a", ofItem: 2) }, { _ = try $0.addSampleItem(to: 1, key: "a") }]
        as [(any StoreTransaction) throws -> Void]
      {
        var isRefused = false
        do { try store.write(change) } catch is BelfryError { isRefused = true }
        try Check.that(isRefused, "the key of another item was accepted")
        try Check.equal(fixture.open().read { try $0.items().map(\.key) }, ["a", nil], "the keys")
      }
    },
    Case("a change that fails leaves the keys as they were") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        for key in ["a", "b"] { try transaction.addSampleItem(to: 1, key: key) }
      }
      try? store.write { transaction in
        try transaction.deleteItem(id: 1)
        try transaction.setKey("a", ofItem: 2)
        throw Refused()
      }
      for store in [store, try fixture.open()] {
        try Check.equal(store.read { try $0.item(key: "a")?.item.id }, 1, "the item of the first key")
        try Check.equal(store.read { try $0.item(key: "b")?.item.id }, 2, "the item of the second key")
      }
    },
  ]

  private struct Refused: Error {}
}

extension StoreTransaction {
  fileprivate func setKey(_ key: String?, ofItem id: Int64) throws {
    var item = try Check.present(item(id: id)).item
    item.key = key
    try update(item)
  }
}
