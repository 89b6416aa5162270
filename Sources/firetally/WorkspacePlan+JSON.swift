import Firestore
import Jobs
import Model
import Rules
import Sync

/// For a program: an object for each job, and one for all; see `docs/costs.md#plan`.
extension WorkspacePlan {
  /// One JSON object a line.
  var lines: String {
    let plans = jobs.map(line) + [filter].compactMap(\.self).map(line)
    return (broken.map(line) + plans + [total]).map {
      String(decoding: $0.serialized(), as: UTF8.self)
    }
    .joined(separator: "\n")
  }

  private func line(_ job: BrokenJob) -> JSON {
    .object([
      "message_type": .string("plan"), "job": .string(job.name), "kind": .string(job.kindWord),
      "plan": .string("Would fail, because its file is wrong."),
      "problem": .string(job.error.description),
    ])
  }

  private func line(_ plan: JobPlan) -> JSON {
    var members: [String: JSON] = [
      "message_type": .string("plan"), "job": .string(plan.job.name),
      "kind": .string(plan.job.kind.rawValue), "trigger": .string(plan.trigger.rawValue),
      "plan": .string(plan.intention), "documents": .integer(plan.documents),
      "documentsAtMost": .integer(plan.documentsAtMost),
      "billedReads": .integer(plan.billedReads),
      "estimatedCost": plan.billedReads.map { money($0) } ?? .null,
      "queries": .array(zip(plan.requests.queries, plan.quotes).map(query)),
      "unknown": .array(plan.requests.unknown.map { .string($0) }),
      "stopsAtBudget": .boolean(plan.stopsAtBudget),
      "schemaChanges": .array(plan.schemaChanges.map { $0.json(reads: plan.reads(of: $0)) }),
    ]
    if let problem = plan.problem { members["problem"] = .string(problem.description) }
    let uploads = plan.requests.uploads.map { ($0.kind.rawValue, JSON.integer($0.count)) }
    if let filter = plan.filter {
      members["message_type"] = .string("filter_preview")
      members["conditions"] = .array(filter.conditions.map { .string($0) })
      members["matches"] = .integer(plan.matches)
      members["isExact"] = .boolean(filter.isCounted && plan.matches != nil)
    }
    members["uploads"] = .object(Dictionary(uploads) { first, _ in first })
    members.merge(limits(plan.budget)) { $1 }
    return .object(members)
  }

  private func query(_ query: PlannedQuery, _ quote: QueryQuote) -> JSON {
    .object([
      "collection": query.query.from.first?.collectionId.map { .string($0) } ?? .null,
      "purpose": .string(query.purpose.rawValue), "documents": .integer(quote.documents),
      "billedReads": .integer(quote.billedReads), "index": quote.index.map(index) ?? .null,
    ])
  }

  private func index(_ state: QueryQuote.IndexState) -> JSON {
    switch state {
    case .present(let indexes):
      .object([
        "state": .string("present"),
        "used": .array(
          indexes.map {
            .object(["scope": .string($0.scope), "properties": .string($0.properties)])
          }),
      ])
    case .missing(let refusal): lacking("missing", refusal)
    case .building(let refusal): lacking("building", refusal)
    case .unknown: .object(["state": .string("unknown")])
    }
  }

  private func lacking(_ state: String, _ refusal: Refusal) -> JSON {
    .object([
      "state": .string(state), "link": refusal.link.map { .string($0) } ?? .null,
      "firestore_indexes": QueryIndex.file(of: refusal.missingIndexes),
    ])
  }

  private func limits(_ budget: ReadBudget) -> [String: JSON] {
    [
      "maxReads": .integer(budget.maxPerRun), "maxReadsPerDay": .integer(budget.maxPerDay),
      "leftToday": .integer(budget.leftToday), "resetsAt": .string(budget.resetsAt.description),
    ]
  }

  private func money(_ reads: Int) -> JSON {
    let cost = price.cost(of: reads)
    return .object(["amount": .double(cost.amount), "currency": .string(cost.currency)])
  }

  private var total: JSON {
    var members: [String: JSON] = [
      "message_type": .string("plan_total"), "billedReads": .integer(billedReads),
      "isExact": .boolean(isExact), "estimatedCost": money(billedReads),
      "ownBilledReads": .integer(ownReads),
    ]
    members.merge(limits(budget)) { $1 }
    members["maxReads"] = nil
    return .object(members)
  }
}

extension SchemaChange {
  /// With the billed reads that fill it; nil where nothing is read, or nobody has asked.
  func json(reads: Int?) -> JSON {
    func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
    return .object([
      "action": .string(action.rawValue), "table": .string(table), "column": text(column),
      "from": text(from), "to": text(to), "keptAs": text(keptAs),
      "filling": .string(filling.rawValue), "billedReads": .integer(reads),
    ])
  }
}

extension JSON {
  fileprivate static func integer(_ number: Int?) -> JSON {
    number.map { .integer($0) } ?? .null
  }
}
