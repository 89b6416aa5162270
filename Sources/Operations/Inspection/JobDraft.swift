package import CollectionMapping
package import Firestore
import Glibc
package import Jobs
package import Model
import Sync
package import Workspace

/// A job file for an inspected collection, as `inspect --write` drafts it; see
/// `docs/inspect.md#drafts`.
package struct JobDraft: Hashable, Sendable {
  /// The job's name, such as `orders` for a collection `Orders`.
  package let job: String
  /// The wanted name of the job, if another job has it; nil otherwise.
  package let takenName: String?
  package let text: String
  /// The columns and the child tables of the text.
  package let columnCount: Int
  package let childTableCount: Int
  /// The number of sampled fields without a column, because no more fit.
  package let leftOutCount: Int
  /// The field for incremental loads; nil for full loads.
  package let incremental: FieldPath?

  package var path: String { "jobs/\(job).yml" }

  /// Drafts columns and child tables, as far as the reader of job files accepts them; the day is
  /// such as `2026-01-31`.
  package init(
    _ collection: InspectedCollection, besides taken: inout TakenNames, price: ReadPrice,
    day: String
  ) {
    let id = collection.source.collectionId
    job = taken.job(for: collection.source)
    takenName = TakenNames.jobName(of: id) == job ? nil : TakenNames.jobName(of: id)
    incremental = collection.profile.changeField?.field
    var number = 1
    var body = Body(collection, TakenNames.table(for: id, try: number), job, price, day)
    while !taken.take(body.tables, for: job) {
      number += 1
      body = Body(collection, TakenNames.table(for: id, try: number), job, price, day)
    }
    text = body.text
    columnCount = body.columnCount
    childTableCount = body.childTableCount
    leftOutCount = body.leftOutCount
  }

  /// A file for one name of its table, with its declared tables.
  private struct Body {
    var text: String
    var tables: [String]
    var columnCount = 0
    var childTableCount = 0
    var leftOutCount = 0

    init(
      _ collection: InspectedCollection, _ table: String, _ job: String, _ price: ReadPrice,
      _ day: String
    ) {
      let writer = DraftText(
        collection: collection, table: table, job: job, price: price, day: day)
      // Some room is for other lines: the names of left-out fields, and the indexes.
      var room = YAMLDocument.maxBytes - 4_096 - writer.text(nil).utf8.count
      while room > 0 {
        let columns = DraftColumns(
          collection.profile, levels: collection.levels, table: table, room: room)
        let body = writer.text(columns)
        if let accepted = JobDraft.accepted(body, job) {
          let whole = writer.withIndexes(body, of: accepted)
          text = whole.utf8.count <= YAMLDocument.maxBytes ? whole : body
          tables = accepted.definition.tables.map(\.name)
          columnCount = columns.columns.count
          childTableCount = columns.explode.count
          leftOutCount = columns.leftOut.count
          return
        }
        room /= 2
      }
      // Now only the collection's own name can be wrong.
      (text, tables) = (writer.text(nil), [table])
    }
  }

  /// Parses the job; returns nil when the reader refuses it.
  static func accepted(_ text: String, _ job: String) -> Job? {
    do {
      let file = try JobFile(
        SourceFile(path: "jobs/\(job).yml", text: text), name: job, variables: [:])
      return file.log.problems.isEmpty ? file.job : nil
    } catch {
      return nil
    }
  }

  package enum Outcome: String, Hashable, Sendable {
    case written, replaced
    /// A file with the name existed and was kept.
    case kept
    /// Another job copies the collection.
    case copied
    /// A job of the app's own kinds reads the collection, which was not named.
    case read
  }

  /// Drafts the job files of all collections with sampled documents.
  ///
  /// The day is such as `2026-01-31`. Unless collections were named, those that jobs such as
  /// `online-users` read get no file. `done` receives each draft, its outcome, and the path of the
  /// present file.
  ///
  /// - Throws: `CancellationError` before the next file once the task is cancelled,
  ///   `WorkspaceError.file`, and what `done` throws; written files stay.
  package static func write(
    _ collections: [InspectedCollection], to workspace: Workspace, price: ReadPrice, day: String,
    overwrites: Bool, areNamed: Bool = true,
    done: (JobDraft, Outcome, _ path: String) throws -> Void
  ) throws {
    let catalog = try workspace.jobs()
    var taken = TakenNames(catalog)
    for collection in collections where collection.profile.documentCount > 0 {
      try Task.checkCancellation()
      if !areNamed, let reader = catalog.ownReader(of: collection) {
        var others = taken
        let draft = JobDraft(collection, besides: &others, price: price, day: day)
        try done(draft, .read, try workspace.jobPath(of: reader))
        continue
      }
      let draft = JobDraft(collection, besides: &taken, price: price, day: day)
      let (outcome, path) = try draft.write(
        to: workspace, catalog, of: collection, overwrites: overwrites)
      try done(draft, outcome, path)
    }
  }

  /// Writes the file of a collection's job, and removes unfinished files of dead processes.
  ///
  /// - Returns: the outcome, and the path of the present file.
  /// - Throws: `WorkspaceError.file`; then an existing file stays.
  package func write(
    to workspace: Workspace, _ catalog: JobCatalog, of collection: InspectedCollection,
    overwrites: Bool
  ) throws(WorkspaceError) -> (outcome: Outcome, path: String) {
    if let copier = catalog.copier(of: collection.source), copier != job {
      return (.copied, "jobs/\(copier).yml")
    }
    let names = [path, "jobs/\(job).yaml"]
    let existing = names.first { access(workspace.path($0), F_OK) == 0 }
    try AtomicFile.removeAbandoned(for: workspace.path(existing ?? path))
    guard existing == nil || overwrites else { return (.kept, existing ?? path) }
    try AtomicFile.write(Array(text.utf8), to: workspace.path(existing ?? path))
    return (existing == nil ? .written : .replaced, existing ?? path)
  }
}
