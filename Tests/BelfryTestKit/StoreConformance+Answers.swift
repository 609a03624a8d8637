import BelfryModel
import Foundation

extension StoreConformance {
  static let answers: [Case] = [
    Case("answers get numbers in order, which are never used again, and are found by number and owner") { fixture in
      let store = try fixture.open()
      let given = try store.write { transaction in
        try ["1", "2"].map { try transaction.add(Sample.answer($0)) }
          + [transaction.add(Sample.answer("3", owner: .list(1)))]
      }
      try Check.equal(given.map(\.id), [1, 2, 3], "the numbers")
      try? store.write { transaction in
        _ = try transaction.add(Sample.answer("undone"))
        throw Refused()
      }
      let reopened = try fixture.open()
      try reopened.read { view in
        try Check.equal(view.answer(id: 2), given[1], "the answer of a number")
        try Check.equal(view.answer(id: 4), nil, "the answer of a change that was undone")
        try Check.equal(view.answers(of: .item(1)), Array(given.prefix(2)), "the answers of an item")
        try Check.equal(view.answers(of: .list(1)), [given[2]], "the answers of a list")
        try Check.equal(view.answers(of: .item(9)), [], "the answers of another item")
        var newest: [Int64] = []
        try view.forEachAnswer(limit: 2) { newest.append($0.id) }
        try Check.equal(newest, [3, 2], "the newest")
      }
      try Check.that(
        reopened.write { try $0.prune(endedBefore: Sample.now + 1, limit: 99) } == 3, "not every answer was pruned")
      try Check.equal(reopened.write { try $0.add(Sample.answer("4")).id }, 4, "the number after all had gone")
    },
    Case("an answer is found by its channel and identity, the latest first") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        for (channel, identity) in [(.link, "a"), (.phone, "a"), (.link, "a"), (.link, nil)]
          as [(Answer.Channel, String?)]
        {
          _ = try transaction.add(Sample.answer(channel: channel, externalID: identity))
        }
        try Check.equal(transaction.latestAnswer(by: .phone, externalID: "a")?.id, 2, "the answer, inside")
      }
      let reopened = try fixture.open()
      try Check.equal(reopened.read { try $0.latestAnswer(by: .link, externalID: "a")?.id }, 3, "the latest answer")
      try Check.equal(reopened.read { try $0.latestAnswer(by: .link, externalID: "b") }, nil, "an unknown answer")
    },
    Case("when an answer was taken back is kept, and how to") { fixture in
      let store = try fixture.open()
      var answer = try store.write { try $0.add(Sample.answer()) }
      (answer.takenBackAt, answer.image) = (Sample.now + 60, "{}")
      try store.write { try $0.update(answer) }
      try Check.equal(fixture.open().read { try $0.answers(of: .item(1)) }, [answer], "the answer")
      (answer.takenBackAt, answer.image) = (nil, nil)
      try store.write { try $0.update(answer) }
      try Check.equal(fixture.open().read { try $0.answer(id: 1) }, answer, "the answer once more")
    },
    Case("answers that were given before the cut-off are forgotten, about so many at a time") { fixture in
      let store = try fixture.open()
      try store.write { transaction in
        for second in -9...0 { _ = try transaction.add(Sample.answer(at: Sample.now + Double(second))) }
      }
      try Check.equal(store.write { try $0.prune(endedBefore: Sample.now - 2, limit: 4) }, 4, "how many went first")
      _ = try store.write { try $0.prune(endedBefore: Sample.now - 2, limit: 4) }
      try Check.equal(
        fixture.open().read { try $0.answers(of: .item(1)).map(\.id) }, [8, 9, 10], "the answers that are left")
    },
  ]

  private struct Refused: Error {}
}
