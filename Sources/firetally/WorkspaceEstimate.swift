import CollectionMapping
import Firestore
import Jobs
import Model
import Reports
import Store
import Sync
import Workspace

/// The estimated cost of a command's jobs together, and the cost of the estimate itself.
struct WorkspaceEstimate {
  let jobs: [JobEstimate]
  /// The jobs with wrong files, which would fail.
  let broken: [BrokenJob]
  /// The cost of `filter apply`, which is not in the total: it is optional, not part of the run.
  var filter: JobEstimate?
  private(set) var price: ReadPrice
  /// The facts of the database; nil when unknown.
  var database: KnownDatabase?
  /// The day's budget before any of the jobs.
  let budget: ReadBudget
  var ownReads: Int

  /// Sets the price for the database's edition, which the plan may have learned.
  mutating func learnPrice(of database: KnownDatabase?, _ context: JobContext) async {
    var cost = context.config.cost
    let learned = await context.services.firestore.edition()
    cost.edition = database?.facts.edition ?? learned ?? cost.edition
    (self.database, price) = (database, cost.price)
  }

  var billedReads: Int { jobs.map(\.knownReads).reduce(0, +) }

  /// Whether the total is complete.
  var isExact: Bool { jobs.allSatisfy { $0.billedReads != nil } }
}

/// The text for people: a block for each job, and the total.
extension WorkspaceEstimate {
  var text: String {
    let plans = jobs.map(block) + [filter].compactMap(\.self).map(block)
    let head =
      price.edition == .enterprise ? database.map { ["Database: \($0.facts.words)."] } : nil
    return ((head ?? []) + broken.map(block) + plans + [totalText]).joined(separator: "\n\n")
  }

  private func block(_ job: BrokenJob) -> String {
    "\(job.name): Would fail, because its file is wrong: \(VisibleText.of(job.error.description))"
  }

  private func block(_ plan: JobEstimate) -> String {
    let lines =
      schema(plan) + reads(plan) + plan.quotes.compactMap(\.index).map(indexRow) + uploads(plan)
      + plan.requests.unknown.map { ("unknown", $0.sentence(on: price.edition)) } + stop(plan)
    let head = "\(plan.title): \(VisibleText.line(plan.intention.plan))"
    return ([head] + lines.map(row)).joined(separator: "\n")
  }

  /// Returns a row such as `  documents     60`; further lines of the text are aligned below its
  /// first.
  private func row(_ label: String, _ text: String) -> String {
    let indent = String(repeating: " ", count: 16)
    let padding = String(repeating: " ", count: 14 - label.count)
    let lines = text.split(separator: "\n").map { VisibleText.line(String($0)) }
    return "  \(label)\(padding)\(lines.joined(separator: "\n\(indent)"))"
  }

  private func reads(_ plan: JobEstimate) -> [(String, String)] {
    guard !plan.requests.queries.isEmpty || plan.requests.documents > 0 else { return [] }
    guard let documents = plan.documents, let reads = plan.billedReads else {
      let most = plan.documentsAtMost.map { ", \(NumberWords.grouped($0)) at most" } ?? ""
      return [("documents", "cannot be counted without the index\(most)")]
    }
    return matches(plan) + [
      ("documents", "\(plan.isEstimated ? "about " : "")\(NumberWords.grouped(documents))"),
      (price.noun + "s", NumberWords.grouped(reads)),
      ("cost", "about \(NumberWords.money(price.cost(of: reads)))"),
    ]
  }

  private func schema(_ plan: JobEstimate) -> [(String, String)] {
    plan.intention.schemaChanges.map { change in
      let reads = plan.reads(of: change).map { " (\(price.counted($0)))" }
      return ("schema", "\(change)\(reads ?? "")")
    }
  }

  private func matches(_ plan: JobEstimate) -> [(String, String)] {
    guard let filter = plan.filter, let matches = plan.matches else { return [] }
    let note = filter.isCounted ? "" : " at most; ages are compared after the load"
    return [("matches", NumberWords.grouped(matches) + note)]
  }

  private func indexRow(_ state: QueryQuote.IndexState) -> (String, String) {
    switch state {
    case .present(let indexes):
      let names = indexes.map { "\($0.scope) \($0.properties)" }.joined(separator: ", ")
      return ("index", "present: \(names)")
    case .missing(let refusal): return ("index", "missing. \(refusal.advice)")
    case .building(let refusal): return ("index", "not built yet. \(refusal.advice)")
    case .unknown: return ("index", "unknown: this server explains no queries")
    case .scan(let scan): return ("index", "none. \(words(scan))")
    }
  }

  /// Returns the cost of a query without its index, and the entries of `firestore.indexes.json`
  /// that make it cheaper, if there are any.
  private func words(_ scan: QueryQuote.Scan) -> String {
    let documents = NumberWords.counted(scan.documents, "document")
    let scans =
      scan.isOnce
      ? "All pages together scan \(documents), \(price.counted(scan.units))"
      : "Scans \(documents), \(price.counted(scan.units)), a page"
    let rules = FirestoreEdition.enterprise.rules
    let entries = scan.indexes.map {
      "  indexes: " + String(decoding: $0.entry(in: rules).serialized(), as: UTF8.self)
    }
    guard scan.isWorthAnIndex else {
      return "\(scans); an index would make the load \(NumberWords.grouped(scan.indexedUnits))."
    }
    return
      (["\(scans); this index makes the load \(NumberWords.grouped(scan.indexedUnits)):"]
      + entries).joined(separator: "\n")
  }

  private func uploads(_ plan: JobEstimate) -> [(String, String)] {
    plan.requests.uploads.filter { $0.count > 0 }.map { upload in
      ("upload", "\(NumberWords.grouped(upload.count)) of kind \(upload.kind.rawValue)")
    }
  }

  private func stop(_ plan: JobEstimate) -> [(String, String)] {
    guard plan.stopsAtBudget, let allowance = plan.budget.allowance else { return [] }
    let limit =
      switch plan.budget.nearest {
      case .run: "max_reads"
      case .day, nil: "what the day has left"
      }
    let reads = price.counted(allowance)
    guard plan.filter == nil else {
      return [("budget", "would not begin: it is all or nothing, and \(limit) allows \(reads)")]
    }
    if let scan = plan.largestScan, scan > allowance {
      let scans = "it scans \(price.counted(scan)) at once"
      return [("budget", "would not begin: \(scans), and \(limit) allows \(reads)")]
    }
    return [("budget", "would stop after \(reads), \(limit), and go on in the next run")]
  }

  private var totalText: String {
    let reads = price.counted(billedReads)
    let own =
      "This \(jobs.isEmpty ? "preview" : "plan") itself cost "
      + "\(price.counted(ownReads))."
    guard !jobs.isEmpty else { return "\(leftToday)\n\(own)" }
    return [
      "In all \(isExact ? "" : "at least ")\(reads), about "
        + "\(NumberWords.money(price.cost(of: billedReads))) at \(price.rate). Writes are not priced.",
      leftToday,
      own,
    ].joined(separator: "\n")
  }

  private var leftToday: String {
    guard let left = budget.leftToday, let most = budget.maxPerDay else {
      return "No daily budget is set (cost.max_reads_per_day)."
    }
    return
      "Left today: \(NumberWords.grouped(left)) of \(NumberWords.grouped(most)) \(price.noun)s, "
      + "until \(budget.resetsAt)."
  }

  /// Prints the estimate; for programs, an object for each job and one for all: see
  /// `docs/costs.md#plan`.
  func print(on output: Output) throws {
    guard output.isJSON else { return output.print(text) }
    let plans = jobs.map(line) + [filter].compactMap(\.self).map(line)
    for line in broken.map(line) + plans + [total] { try output.print(json: line) }
  }

  private func line(_ job: BrokenJob) -> JSONObject {
    [
      "message_type": "plan", "job": job.name, "kind": job.kindWord,
      "plan": "Would fail, because its file is wrong.", "problem": job.error.description,
    ]
  }

  private func line(_ plan: JobEstimate) -> JSONObject {
    let uploads = plan.requests.uploads.map { ($0.kind.rawValue, $0.count) }
    var line: JSONObject = [
      "message_type": "plan", "job": plan.intention.job.name,
      "kind": plan.intention.job.kind.rawValue,
      "trigger": plan.intention.trigger.rawValue, "plan": plan.intention.plan,
      "documents": plan.documents,
      "documentsAtMost": plan.documentsAtMost, "billedReads": plan.billedReads,
      "estimatedCost": plan.billedReads.map { price.cost(of: $0) },
      "queries": zip(plan.requests.queries, plan.quotes).map(query),
      "unknown": plan.requests.unknown.map { $0.sentence(on: price.edition) },
      "stopsAtBudget": plan.stopsAtBudget,
      "schemaChanges": plan.intention.schemaChanges.map { $0.line(reads: plan.reads(of: $0)) },
      "uploads": Dictionary(uploads) { first, _ in first },
      "maxReads": plan.budget.maxPerRun,
    ]
    line = line.merging(day(plan.budget))
    if let problem = plan.intention.problem {
      line = line.merging(["problem": problem.description])
    }
    guard let filter = plan.filter else { return line }
    return line.merging([
      "message_type": "filter_preview", "conditions": filter.conditions, "matches": plan.matches,
      "isExact": filter.isCounted && plan.matches != nil,
    ])
  }

  private func query(_ query: PlannedQuery, _ quote: QueryQuote) -> JSONObject {
    [
      "collection": query.query.from.first?.collectionId, "purpose": query.purpose.rawValue,
      "documents": quote.documents, "isEstimated": quote.isEstimated,
      "billedReads": quote.billedReads, "index": quote.index.map(index),
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
    case .scan(let scan):
      return [
        "state": "scan", "documents": scan.documents, "units": scan.units, "isOnce": scan.isOnce,
        "indexedUnits": scan.indexedUnits,
        "firestore_indexes": QueryIndex.file(
          of: scan.indexes, in: FirestoreEdition.enterprise.rules),
      ]
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
      "edition": price.edition.rawValue, "priceListedIn": price.listedIn,
    ]
    return total.merging(day(budget))
  }
}

extension SchemaChange {
  /// Returns the change with the billed reads that fill it; nil when nothing is read, or when
  /// unknown.
  func line(reads: Int?) -> JSONObject {
    [
      "action": action.rawValue, "table": table, "column": column, "from": from, "to": to,
      "keptAs": keptAs, "filling": filling.rawValue, "billedReads": reads,
    ]
  }
}
