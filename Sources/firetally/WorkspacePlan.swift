import Firestore
import Jobs
import Model
import Reports
import Sync

/// For a person: a block for each job, and what they come to.
extension WorkspacePlan {
  var text: String {
    let plans = jobs.map(block) + [filter].compactMap(\.self).map(block)
    return (broken.map(block) + plans + [total]).joined(separator: "\n\n")
  }

  private func block(_ job: BrokenJob) -> String {
    "\(job.name): Would fail, because its file is wrong: \(VisibleText.of(job.error.description))"
  }

  private func block(_ plan: JobPlan) -> String {
    let lines =
      schema(plan) + reads(plan) + plan.quotes.compactMap(\.index).map(index) + uploads(plan)
      + plan.requests.unknown.map { ("unknown", $0) } + stop(plan)
    let head = "\(plan.title): \(VisibleText.line(plan.intention))"
    return ([head] + lines.map(row)).joined(separator: "\n")
  }

  /// `  documents     60`; further lines of the text stand below its first.
  private func row(_ label: String, _ text: String) -> String {
    let indent = String(repeating: " ", count: 16)
    let padding = String(repeating: " ", count: 14 - label.count)
    let lines = text.split(separator: "\n").map { VisibleText.line(String($0)) }
    return "  \(label)\(padding)\(lines.joined(separator: "\n\(indent)"))"
  }

  private func reads(_ plan: JobPlan) -> [(String, String)] {
    guard !plan.requests.queries.isEmpty || plan.requests.documents > 0 else { return [] }
    guard let documents = plan.documents, let reads = plan.billedReads else {
      let most = plan.documentsAtMost.map { ", \(NumberWords.grouped($0)) at most" } ?? ""
      return [("documents", "cannot be counted without the index\(most)")]
    }
    return matches(plan) + [
      ("documents", NumberWords.grouped(documents)),
      ("billed reads", NumberWords.grouped(reads)),
      ("cost", "about \(NumberWords.money(price.cost(of: reads)))"),
    ]
  }

  private func schema(_ plan: JobPlan) -> [(String, String)] {
    plan.schemaChanges.map { change in
      let reads = plan.reads(of: change).map { " (\(NumberWords.counted($0, "billed read")))" }
      return ("schema", "\(change)\(reads ?? "")")
    }
  }

  private func matches(_ plan: JobPlan) -> [(String, String)] {
    guard let filter = plan.filter, let matches = plan.matches else { return [] }
    let note = filter.isCounted ? "" : " at most; ages are compared after the load"
    return [("matches", NumberWords.grouped(matches) + note)]
  }

  private func index(_ state: QueryQuote.IndexState) -> (String, String) {
    switch state {
    case .present(let indexes):
      let names = indexes.map { "\($0.scope) \($0.properties)" }.joined(separator: ", ")
      return ("index", "present: \(names)")
    case .missing(let refusal): return ("index", "missing. \(refusal.advice)")
    case .building(let refusal): return ("index", "not built yet. \(refusal.advice)")
    case .unknown: return ("index", "unknown: this server explains no queries")
    }
  }

  private func uploads(_ plan: JobPlan) -> [(String, String)] {
    plan.requests.uploads.filter { $0.count > 0 }.map { upload in
      ("upload", "\(NumberWords.grouped(upload.count)) of kind \(upload.kind.rawValue)")
    }
  }

  private func stop(_ plan: JobPlan) -> [(String, String)] {
    guard plan.stopsAtBudget, let allowance = plan.budget.allowance else { return [] }
    let limit =
      switch plan.budget.nearest {
      case .run: "max_reads"
      case .day, nil: "what the day has left"
      }
    let reads = NumberWords.counted(allowance, "billed read")
    guard plan.filter == nil else {
      return [("budget", "would not begin: it is all or nothing, and \(limit) allows \(reads)")]
    }
    return [("budget", "would stop after \(reads), \(limit), and go on in the next run")]
  }

  private var total: String {
    let reads = NumberWords.counted(billedReads, "billed read")
    let own =
      "This \(jobs.isEmpty ? "preview" : "plan") itself cost \(NumberWords.counted(ownReads, "billed read"))."
    guard !jobs.isEmpty else { return "\(leftToday)\n\(own)" }
    let rate = "\(price.per100kReads) \(price.currency) per 100,000"
    return [
      "In all \(isExact ? "" : "at least ")\(reads), about "
        + "\(NumberWords.money(price.cost(of: billedReads))) at \(rate). Writes are not priced.",
      leftToday,
      own,
    ].joined(separator: "\n")
  }

  private var leftToday: String {
    guard let left = budget.leftToday, let most = budget.maxPerDay else {
      return "No daily budget is set (cost.max_reads_per_day)."
    }
    return "Left today: \(NumberWords.grouped(left)) of \(NumberWords.grouped(most)) billed reads, "
      + "until \(budget.resetsAt)."
  }
}

/// What a command's jobs would cost together, and what it cost to find out.
struct WorkspacePlan {
  let jobs: [JobPlan]
  /// Those whose files are wrong, so that they would fail.
  let broken: [BrokenJob]
  /// What `filter apply` would cost, in no sum: it is a choice, not a part of the run.
  var filter: JobPlan?
  let price: ReadPrice
  /// Of the day, before any of the jobs.
  let budget: ReadBudget
  var ownReads: Int

  /// Reads of all jobs that are known.
  var billedReads: Int { jobs.map(\.knownReads).reduce(0, +) }

  /// Whether nothing had to be left out of the sum.
  var isExact: Bool { jobs.allSatisfy { $0.billedReads != nil } }
}
