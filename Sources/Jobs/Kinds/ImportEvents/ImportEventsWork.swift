import Feeds
import Model
import Store

/// The kind `import-events`: reads GA4 exports into the ledger; see `docs/jobs/import-events.md`.
///
/// A file is read again only when its size or time has changed, and events that the ledger has
/// are not added twice, so dying in the middle costs nothing but time.
struct ImportEventsWork: JobWork {
  private let options: ImportEventsOptions
  private let context: JobContext

  init(_ options: ImportEventsOptions, _ context: JobContext) {
    self.options = options
    self.context = context
  }

  func plan() throws -> String {
    let paths = try changedFiles().map(\.path)
    return paths.isEmpty ? "No new files." : "Would read \(paths.joined(separator: ", "))."
  }

  func perform(within budget: RunBudget) async throws -> JobResult {
    let files = try changedFiles()
    guard !files.isEmpty else { return JobResult(.fresh, "No new files.") }
    var counts = RunCounts()
    var warnings: [String] = []
    var problems: [FeedError] = []
    for file in files {
      do {
        let rejected = try await read(file, &counts)
        guard rejected > 0 else { continue }
        warnings.append("\(file.path): \(rejected) lines are no events; see \(options.rejects).")
      } catch let error as FeedError {
        // The files after it can be read all the same.
        problems.append(error)
      }
    }
    let erased = counts.skipped[ErasedPeople.countedAs, default: 0]
    return JobResult(
      problems.isEmpty ? (warnings.isEmpty ? .ok : .partial) : .failed,
      "\(counts.inserted) new events in \(files.count - problems.count) files, "
        + "\(counts.unchanged) known, \(counts.skipped["no-event", default: 0]) lines rejected"
        + (erased > 0 ? ", \(erased) of erased people left out." : "."),
      counts: counts, warnings: warnings + problems.dropFirst().map(\.description),
      problem: problems.first)
  }

  /// Reads one file and returns how many of its lines were rejected.
  private func read(_ file: ExportFile, _ counts: inout RunCounts) async throws -> Int {
    let engine = ExportImport(
      store: context.store, rejects: context.folder.path(options.rejects))
    var reached = ExportImport.Counts()
    defer {
      counts.fetched += reached.lines
      counts.inserted += reached.added
      counts.unchanged += reached.known
      if reached.rejected > 0 { counts.skipped["no-event", default: 0] += reached.rejected }
      if reached.erased > 0 { counts.skipped[ErasedPeople.countedAs, default: 0] += reached.erased }
    }
    context.observer.begin(file.path, "lines")
    try await engine.run(file.path) { counts in
      context.observer.advance(by: counts.lines - reached.lines, of: counts.expectedLines)
      reached = counts
    }
    // After the list of rejects: a file that counts as read has its rejects listed.
    try context.store.write { try $0.setMetadata(file.version, named: file.metadataName) }
    return reached.rejected
  }

  private func changedFiles() throws -> [ExportFile] {
    let files = Set(options.files.flatMap { ExportFile.matching($0, in: context.folder) })
    return try context.store.read { reader in
      try files.sorted { $0.path < $1.path }
        .filter { try reader.metadata(named: $0.metadataName) != $0.version }
    }
  }
}
