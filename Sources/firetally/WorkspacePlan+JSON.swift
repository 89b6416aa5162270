import Firestore
import Jobs
import Model
import Sync

extension WorkspacePlan {
  /// For a program an object for each job, and one for all; see `docs/costs.md#plan`.
  func show(on output: Output) throws {
    guard output.isJSON else { return output.show(text) }
    let plans = jobs.map(line) + [filter].compactMap(\.self).map(line)
    for line in broken.map(line) + plans + [total] { try output.show(json: line) }
  }

  private func line(_ job: BrokenJob) -> JSONObject {
    [
      "message_type": "plan", "job": job.name, "kind": job.kindWord,
      "plan": "Would fail, because its file is wrong.", "problem": job.error.description,
    ]
  }

  private func line(_ plan: JobPlan) -> JSONObject {
    let uploads = plan.requests.uploads.map { ($0.kind.rawValue, $0.count) }
    var line: JSONObject = [
      "message_type": "plan", "job": plan.job.name, "kind": plan.job.kind.rawValue,
      "trigger": plan.trigger.rawValue, "plan": plan.intention, "documents": plan.documents,
      "documentsAtMost": plan.documentsAtMost, "billedReads": plan.billedReads,
      "estimatedCost": plan.billedReads.map { price.cost(of: $0) },
      "queries": zip(plan.requests.queries, plan.quotes).map(query),
      "unknown": plan.requests.unknown, "stopsAtBudget": plan.stopsAtBudget,
      "schemaChanges": plan.schemaChanges.map { $0.line(reads: plan.reads(of: $0)) },
      "uploads": Dictionary(uploads) { first, _ in first },
      "maxReads": plan.budget.maxPerRun,
    ]
    line = line.merging(day(plan.budget))
    if let problem = plan.problem { line = line.merging(["problem": problem.description]) }
    guard let filter = plan.filter else { return line }
    return line.merging([
      "message_type": "filter_preview", "conditions": filter.conditions, "matches": plan.matches,
      "isExact": filter.isCounted && plan.matches != nil,
    ])
  }

  private func query(_ query: PlannedQuery, _ quote: QueryQuote) -> JSONObject {
    [
      "collection": query.query.from.first?.collectionId, "purpose": query.purpose.rawValue,
      "documents": quote.documents, "billedReads": quote.billedReads,
      "index": quote.index.map(index),
    ]
  }

  private func index(_ state: QueryQuote.IndexState) -> JSONObject {
    switch state {
    case .present(let indexes):
      let used: [JSONObject] = indexes.map { ["scope": $0.scope, "properties": $0.properties] }
      return ["state": "present", "used": used]
    case .missing(let refusal): return lacking("missing", refusal)
    case .building(let refusal): return lacking("building", refusal)
    case .unknown: return ["state": "unknown"]
    }
  }

  private func lacking(_ state: String, _ refusal: Refusal) -> JSONObject {
    [
      "state": state, "link": refusal.link,
      "firestore_indexes": QueryIndex.file(of: refusal.missingIndexes),
    ]
  }

  private func day(_ budget: ReadBudget) -> JSONObject {
    [
      "maxReadsPerDay": budget.maxPerDay, "leftToday": budget.leftToday,
      "resetsAt": budget.resetsAt,
    ]
  }

  private var total: JSONObject {
    let total: JSONObject = [
      "message_type": "plan_total", "billedReads": billedReads, "isExact": isExact,
      "estimatedCost": price.cost(of: billedReads), "ownBilledReads": ownReads,
    ]
    return total.merging(day(budget))
  }
}

extension SchemaChange {
  /// With the billed reads that fill it; nil where nothing is read, or nobody has asked.
  func line(reads: Int?) -> JSONObject {
    [
      "action": action.rawValue, "table": table, "column": column, "from": from, "to": to,
      "keptAs": keptAs, "filling": filling.rawValue, "billedReads": reads,
    ]
  }
}
