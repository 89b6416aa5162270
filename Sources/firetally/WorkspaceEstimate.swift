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
    let head = "\(plan.title): \(VisibleText.line(plan.intention.plan))"
    return ([head] + facts(plan).flatMap(\.lines).map(row)).joined(separator: "\n")
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

  private func matches(_ plan: JobEstimate) -> [(String, String)] {
    guard let filter = plan.filter, let matches = plan.matches else { return [] }
    let note = filter.isCounted ? "" : " at most; ages are compared after the load"
    return [("matches", NumberWords.grouped(matches) + note)]
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
    let line: JSONObject = ["message_type": plan.filter == nil ? "plan" : "filter_preview"]
    return facts(plan).reduce(line) { $0.merging($1.members) }
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

/// A fact of a plan: lines for people, with a label each, and members for programs.
private struct PlanFact {
  var lines: [(String, String)] = []
  let members: JSONObject
}

extension WorkspaceEstimate {
  private func facts(_ plan: JobEstimate) -> [PlanFact] {
    let (intention, requests) = (plan.intention, plan.requests)
    let unknown = requests.unknown.map { $0.sentence(on: price.edition) }
    let indexes = plan.quotes.map { $0.index.map(index) }
    let uploads = requests.uploads.map { ($0.kind.rawValue, $0.count) }
    return [
      PlanFact(members: [
        "job": intention.job.name, "kind": intention.job.kind.rawValue,
        "trigger": intention.trigger.rawValue, "plan": intention.plan,
      ]),
      PlanFact(
        lines: intention.schemaChanges.map { change in
          let reads = plan.reads(of: change).map { " (\(price.counted($0)))" }
          return ("schema", "\(change)\(reads ?? "")")
        },
        members: [
          "schemaChanges": intention.schemaChanges.map { $0.line(reads: plan.reads(of: $0)) }
        ]),
      PlanFact(
        lines: reads(plan),
        members: [
          "documents": plan.documents, "documentsAtMost": plan.documentsAtMost,
          "billedReads": plan.billedReads,
          "estimatedCost": plan.billedReads.map { price.cost(of: $0) },
        ]),
      PlanFact(
        lines: indexes.compactMap { $0.map { ("index", $0.text) } },
        members: [
          "queries": zip(requests.queries, zip(plan.quotes, indexes)).map {
            query($0, $1.0, index: $1.1?.members)
          }
        ]),
      PlanFact(
        lines: uploads.filter { $0.1 > 0 }.map { kind, count in
          ("upload", "\(NumberWords.grouped(count)) of kind \(kind)")
        },
        members: ["uploads": Dictionary(uploads) { first, _ in first }]),
      PlanFact(lines: unknown.map { ("unknown", $0) }, members: ["unknown": unknown]),
      PlanFact(
        lines: stop(plan),
        members: ["stopsAtBudget": plan.stopsAtBudget, "maxReads": plan.budget.maxPerRun]),
      PlanFact(members: day(plan.budget)),
    ] + [problem(intention), preview(plan)].compactMap(\.self)
  }

  private func problem(_ intention: JobPlan) -> PlanFact? {
    intention.problem.map { PlanFact(members: ["problem": $0.description]) }
  }

  private func preview(_ plan: JobEstimate) -> PlanFact? {
    plan.filter.map { filter in
      PlanFact(members: [
        "conditions": filter.conditions, "matches": plan.matches,
        "isExact": filter.isCounted && plan.matches != nil,
      ])
    }
  }

  private func query(
    _ query: PlannedQuery, _ quote: QueryQuote, index: JSONObject?
  ) -> JSONObject {
    [
      "collection": query.query.from.first?.collectionId, "purpose": query.purpose.rawValue,
      "documents": quote.documents, "isEstimated": quote.isEstimated,
      "billedReads": quote.billedReads, "index": index,
    ]
  }

  private func index(
    _ state: QueryQuote.IndexState
  ) -> (text: String, members: JSONObject) {
    switch state {
    case .present(let indexes):
      let used: [JSONObject] = indexes.map { ["scope": $0.scope, "properties": $0.properties] }
      let names = indexes.map { "\($0.scope) \($0.properties)" }.joined(separator: ", ")
      return ("present: \(names)", ["state": "present", "used": used])
    case .missing(let refusal):
      return ("missing. \(refusal.advice)", lacking("missing", refusal))
    case .building(let refusal):
      return ("not built yet. \(refusal.advice)", lacking("building", refusal))
    case .unknown: return ("unknown: this server explains no queries", ["state": "unknown"])
    case .scan(let scan):
      return (
        "none. \(words(scan))",
        [
          "state": "scan", "documents": scan.documents, "units": scan.units,
          "isOnce": scan.isOnce, "indexedUnits": scan.indexedUnits,
          "firestore_indexes": QueryIndex.file(
            of: scan.indexes, in: FirestoreEdition.enterprise.rules),
        ]
      )
    }
  }

  private func lacking(_ state: String, _ refusal: Refusal) -> JSONObject {
    [
      "state": state, "link": refusal.link,
      "firestore_indexes": QueryIndex.file(of: refusal.missingIndexes),
    ]
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
