import BelfryEngine
import BelfryModel
import FoundationEssentials

extension StateTransaction {
  package func answer(id: Int64) throws -> Answer? { state.answers[id] }

  package func answers(of owner: ReminderOwner) throws -> [Answer] {
    if indexes.answersByOwner == nil {
      indexes.answersByOwner = Dictionary(grouping: state.answers.values, by: \.owner).mapValues { $0.map(\.id) }
    }
    return (indexes.answersByOwner?[owner] ?? []).sorted().compactMap { state.answers[$0] }
  }

  package func latestAnswer(by channel: Answer.Channel, externalID: String) throws -> Answer? {
    state.answers.values.filter { $0.channel == channel && $0.externalID == externalID }.max { $0.id < $1.id }
  }

  package func visitAnswers(limit: Int?, _ body: (Answer) throws -> VisitResult) throws {
    for answer in state.answers.values.sorted(by: { $0.id > $1.id }).prefix(limit ?? .max) {
      if try body(answer) == .stop { return }
    }
  }

  package func add(_ answer: Answer) throws -> Answer {
    let answer = answer.numbered(try take(\.nextAnswerID))
    state.answers[answer.id] = answer
    changes.answers.insert(answer.id)
    indexes.answersByOwner?[answer.owner, default: []].append(answer.id)
    return answer
  }

  package func update(_ answer: Answer) throws {
    guard let old = state.answers[answer.id], old != answer else { return }
    state.answers[answer.id] = answer
    changes.answers.insert(answer.id)
  }

  /// Forgets answers that were given before an instant. Returns how many.
  func forgetAnswers(before cutoff: Date, limit: Int) -> Int {
    let ids = state.answers.values.filter { $0.date < cutoff }.prefix(limit).map(\.id)
    for id in ids { state.answers[id] = nil }
    changes.answers.formUnion(ids)
    if !ids.isEmpty { indexes.answersByOwner = nil }
    return ids.count
  }
}
