import Feeds
import Glibc
package import Model
import Reports
import Store
package import Workspace

/// How a job of kind `import-events` works; see `docs/jobs/import-events.md`.
package struct ImportEventsOptions: JobKind {
  package static let kind = JobKindName.importEvents

  /// Glob patterns; relative ones count from the workspace.
  package var files: [String] = []
  /// The list of unreadable lines, relative to the workspace.
  package var rejects = "data/rejects/JOB.txt"

  package static let options = OptionKeys(
    ImportEventsOptions(),
    [
      .required(
        "files", \.files, .texts, "list the export's files, 'files: [exports/*.ndjson]'"),
      .key("rejects", \.rejects, .text),
    ])

  package mutating func check(_ reader: MappingReader, job: String) {
    if reader.entry("rejects") == nil { rejects = "data/rejects/\(job).txt" }
  }

  package var rejectLists: [String] { [rejects] }
  package var exportPatterns: [String] { files }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    ImportEventsWork(options: self, context: context)
  }
}

/// The work of the kind `import-events`: reads GA4 exports into the ledger; see
/// `docs/jobs/import-events.md`.
///
/// A file is read again only when its size or time has changed, and events that the ledger holds
/// are not added twice, so an interrupted run costs only time.
struct ImportEventsWork: JobWork {
  let options: ImportEventsOptions
  let context: JobContext

  func plan() throws -> String {
    let paths = try changedFiles().map(\.path)
    return paths.isEmpty ? "No new files." : "Would read \(paths.joined(separator: ", "))."
  }

  func perform(within budget: RunBudget) async throws -> JobResult {
    let files = try changedFiles()
    guard !files.isEmpty else { return JobResult(.fresh, "No new files.") }
    var tally = ImportTally()
    var reached: (path: String, counts: ExportImport.Counts)?
    let importer = EventsImport(
      store: context.store, rejects: context.workspace.path(options.rejects),
      isForced: context.options.isForced)
    try await importer.run(files.map(\.path)) { path, counts in
      let before = reached?.path == path ? reached?.counts.lines : nil
      if before == nil { context.observer.begin(path, "lines") }
      context.observer.advance(by: counts.lines - (before ?? 0), of: counts.expectedLines)
      reached = (path, counts)
    } eachFile: { result in
      tally.add(result, rejects: options.rejects)
      guard result.problem == nil, !result.isPending,
        let file = files.first(where: { $0.path == result.path })
      else { return }
      // The list of rejects comes first: a file that counts as read has its rejects listed.
      try context.store.write { try $0.setMark(file.version, named: file.markName) }
    }
    return tally.result
  }

  private func changedFiles() throws -> [ExportFile] {
    let files = Set(options.files.flatMap { ExportFile.matching($0, in: context.workspace) })
    return try context.store.read { reader in
      try files.sorted { $0.path < $1.path }
        .filter { try reader.mark(named: $0.markName) != $0.version }
    }
  }
}

/// The counts and messages of one run.
private struct ImportTally {
  private var counts = RunCounts()
  private var fileCount = 0
  private var news: [ExportNews] = []
  private var warnings: [String] = []
  private var problems: [FeedError] = []

  mutating func add(_ file: EventsImport.FileResult, rejects: String) {
    add(file.counts)
    news += file.news.filter { !$0.isWarning }
    warnings += file.news.filter(\.isWarning).map { $0.sentence + "." }
    if let problem = file.problem { problems.append(problem) } else { fileCount += 1 }
    let rejected = file.counts.rejected
    guard rejected > 0, file.problem == nil else { return }
    let lines = NumberWords.counted(rejected, "line is no event", "lines are no events")
    warnings.append("\(file.path): \(lines); see \(rejects).")
  }

  private mutating func add(_ read: ExportImport.Counts) {
    counts.fetched += read.lines
    counts.inserted += read.added
    counts.unchanged += read.known
    for (reason, count) in [
      ("no-event", read.rejected), (ErasedPeople.countedAs, read.erased),
      ("other-table", read.leftOut),
    ] where count > 0 {
      counts.skipped[reason, default: 0] += count
    }
  }

  var result: JobResult {
    let erased = counts.skipped[ErasedPeople.countedAs, default: 0]
    let summary =
      "\(NumberWords.counted(counts.inserted, "new event")) in "
      + "\(NumberWords.counted(fileCount, "file")), "
      + "\(NumberWords.grouped(counts.unchanged)) known, "
      + "\(NumberWords.counted(counts.skipped["no-event", default: 0], "line")) rejected"
      + (erased > 0 ? ", \(erased) of erased people left out." : ".")
    return JobResult(
      problems.isEmpty ? (warnings.isEmpty ? .ok : .partial) : .failed,
      ([summary] + news.map { $0.sentence + "." }).joined(separator: " "),
      counts: counts, warnings: warnings + problems.dropFirst().map(\.description),
      problem: problems.first)
  }
}

package struct ExportFile: Hashable {
  package let path: String
  /// Changes whenever the file does: size and time of the last change.
  let version: String

  var markName: MarkName { "imported \(path)" }

  /// Returns the regular files that a glob pattern matches, relative to the workspace.
  package static func matching(_ pattern: String, in workspace: Workspace) -> [ExportFile] {
    GlobPattern.paths(matching: pattern, in: workspace).compactMap { ExportFile(path: $0) }
  }

  private init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.path = path
    version = "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }
}
