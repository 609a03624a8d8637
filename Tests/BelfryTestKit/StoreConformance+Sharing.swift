import BelfryEngine
import Foundation
import Synchronization

extension StoreConformance {
  fileprivate static let writers = 8
  fileprivate static let rounds = 20

  static let sharing: [Case] = [
    Case("many threads that write through one store lose no update and get numbers of their own") { fixture in
      let store = try fixture.open()
      try store.writeFromManyThreads { store }
      try store.checkManyWrites()
    },
    Case("many stores that write to the same place lose no update and get numbers of their own") { fixture in
      let store = try fixture.open()
      try store.writeFromManyThreads { try fixture.open() }
      try store.checkManyWrites()
    },
    Case("reading goes on while others write, and sees whole changes only") { fixture in
      let (writer, reader) = (try fixture.open(), try fixture.open())
      try writer.write { _ = try $0.addSampleList() }
      let failure = Mutex<(any Error)?>(nil)
      DispatchQueue.concurrentPerform(iterations: 2) { index in
        do {
          for _ in 1...rounds {
            if index == 0 {
              try writer.write { transaction in
                for _ in 1...3 { try transaction.addSampleItem(to: 1) }
              }
            } else {
              let count = try reader.read { try $0.items().count }
              try Check.that(count.isMultiple(of: 3), "a read saw \(count) items, added three at a time")
            }
          }
        } catch { failure.withLock { $0 = error } }
      }
      if let error = failure.withLock({ $0 }) { throw error }
      try Check.equal(reader.read { try $0.items().count }, 3 * rounds, "the items")
    },
    Case("a count of changes goes up by one with each change of this store, however little it changes") { fixture in
      let store = try fixture.open()
      try store.write { _ = try $0.addSampleMessage(about: 1, recipients: ["a", "b"]) }
      guard let first = try store.changeCount() else { return }
      try store.write { _ in }
      try Check.equal(store.changeCount(), first + 1, "the count after a change of nothing")
      try store.write { transaction in
        _ = try transaction.closeDelivered(by: Sample.success(1), at: Sample.now)
      }
      try Check.equal(store.changeCount(), first + 2, "the count after an outcome")
      try store.write { _ = try $0.addSampleMessage(about: 2) }
      try Check.equal(store.changeCount(), first + 3, "the count after a message")
      try? store.write { transaction in
        _ = try transaction.addSampleMessage(about: 3)
        throw CancellationError()
      }
      try Check.that(try store.changeCount() ?? 0 >= first + 3, "the count went back")
    },
    Case("a count of changes goes up with each change of this store and of others, and stays otherwise") { fixture in
      let (one, other) = (try fixture.open(), try fixture.open())
      try one.write { _ = try $0.addSampleList() }
      guard let first = try one.changeCount() else { return }
      _ = try one.read { try $0.lists() }
      try Check.equal(one.changeCount(), first, "the count after a read")
      try one.write { _ = try $0.addSampleItem(to: 1) }
      let second = try one.changeCount() ?? 0
      try Check.that(second > first, "its own change did not count")
      try other.write { _ = try $0.addSampleItem(to: 1) }
      let third = try one.changeCount() ?? 0
      try Check.that(third > second, "the change of another did not count")
      try other.write { _ = try $0.addSampleItem(to: 1) }
      try one.write { _ = try $0.addSampleItem(to: 1) }
      try Check.that(try one.changeCount() ?? 0 >= third + 2, "the change of another counted as its own")
    },
    Case("a begin takes the pending deliveries that are due, and no others") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        _ = try transaction.addSampleList()
        let message = try Sample.message(at: 0)
        let deliveries = try transaction.add(
          message, recipients: ["a", "b", "c"], fireDate: Sample.fireDate(), permittedFrom: Sample.now)
        var discarded = deliveries[1]
        (discarded.state, discarded.nextAttemptAt, discarded.closedAt) = (.discarded, nil, Sample.now)
        try transaction.update(discarded)
        var later = deliveries[2]
        later.nextAttemptAt = Sample.now + 100_000
        try transaction.update(later)
        let begun = try transaction.begin(deliveries.map(\.id) + [99], at: Sample.now + 1_000)
        try Check.equal(Set(begun.keys), [deliveries[0].id], "the deliveries that were begun")
      }
      let due = try store.read { try $0.attemptable([1, 2, 3, 99], at: Sample.now + 1_000) }
      try Check.equal(due, [1], "the deliveries that are pending and due")
    },
    Case("only one daemon has a store, until it gives it back") { fixture in
      let (one, other) = (try fixture.open(), try fixture.open())
      let lock = try one.lockForDaemon()
      try Check.throwsError(.tryAgain) { _ = try other.lockForDaemon() }
      try Check.throwsError(.tryAgain) { _ = try one.lockForDaemon() }
      try other.write { _ = try $0.addSampleList() }
      try Check.equal(one.read { try $0.lists().count }, 1, "the lists, read and written under the lock")
      lock.release()
      let next = try other.lockForDaemon()
      try Check.throwsError(.tryAgain) { _ = try one.lockForDaemon() }
      next.release()
      try one.lockForDaemon().release()
    },
    Case("a daemon knows whether the one before has released the store") { fixture in
      let (one, other) = (try fixture.open(), try fixture.open())
      let first = try one.lockForDaemon()
      try Check.that(!first.wasAbandoned, "nobody has had the store")
      first.abandon()
      let second = try other.lockForDaemon()
      try Check.that(second.wasAbandoned, "the one before has given it up")
      second.release()
      let third = try one.lockForDaemon()
      try Check.that(!third.wasAbandoned, "the one before has released it")
      third.release()
    },
    Case("tidying up changes nothing") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        try transaction.addSampleList()
        for _ in 1...50 { try transaction.addSampleItem(to: 1) }
      }
      try store.tidy()
      try store.tidy()
      try Check.equal(store.read { try $0.items().count }, 50, "the items")
      try Check.equal(fixture.open().read { try $0.items().count }, 50, "the items after reopening")
      try Check.equal(store.write { try $0.addSampleItem(to: 1).id }, 51, "the next number")
    },
  ]
}

extension ItemStore {
  /// Increments a counter on one item and adds others, many times from many threads.
  fileprivate func writeFromManyThreads(_ store: @Sendable () throws -> any ItemStore) throws {
    try write { transaction in
      try transaction.addSampleList()
      try transaction.addSampleItem("0", to: 1)
    }
    let failure = Mutex<(any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: StoreConformance.writers) { writer in
      do {
        let store = try store()
        for round in 1...StoreConformance.rounds {
          try store.write { transaction in
            var counter = try Check.present(transaction.item(id: 1)).item
            counter.text = "\((Int(counter.text) ?? -1_000_000) + 1)"
            try transaction.update(counter)
            try transaction.addSampleItem("\(writer).\(round)", to: 1)
          }
        }
      } catch { failure.withLock { $0 = error } }
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }

  fileprivate func checkManyWrites() throws {
    let count = StoreConformance.writers * StoreConformance.rounds
    try read { view in
      try Check.equal(view.item(id: 1)?.item.text, "\(count)", "the count")
      let items = try view.items()
      try Check.equal(items.map(\.id).sorted(), (1...Int64(count + 1)).map { $0 }, "the numbers")
      try Check.equal(Set(items.map(\.text)).count, count + 1, "the texts, each once")
      try Check.equal(Set(items.map(\.position)).count, count + 1, "the places, each once")
    }
  }
}
