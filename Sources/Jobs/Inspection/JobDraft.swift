package import Firestore
import Glibc
package import Model
import Reports
import Rules
import Store
import Sync

/// A job file for an inspected collection, as `inspect --write` drafts it; see
/// `docs/inspect.md#drafts`.
package struct JobDraft: Hashable, Sendable {
  /// The job's name, `orders` for a collection `Orders`.
  package let job: String
  package let text: String
  /// The columns and the child tables of the text.
  package let columnCount: Int
  package let childTableCount: Int
  /// The field that incremental loads follow; nil for full loads.
  package let incremental: FieldPath?

  package var path: String { "jobs/\(job).yml" }

  /// Drafts the richest file that the reader of job files accepts.
  ///
  /// - Parameters:
  ///   - collection: what was found out.
  ///   - taken: the names and tables that other jobs have.
  ///   - price: of the reads of a full load.
  ///   - day: `2026-01-31`.
  package init(
    _ collection: InspectedCollection, besides taken: inout TakenNames, price: ReadPrice,
    day: String
  ) {
    let job = taken.job(for: collection.source.collectionId)
    let table = taken.table(for: collection.source.collectionId)
    self.job = job
    let candidate = collection.profile.incrementalCandidates.first { $0.isNamedForChanges }
    incremental = candidate?.field
    let writer = DraftWriter(
      collection: collection, table: table, incremental: candidate?.field, price: price, day: day)
    for grammar in DraftColumns.Grammar.allCases {
      let columns = DraftColumns(
        collection.profile, levels: collection.levels, grammar: grammar)
      let body = writer.text(columns)
      guard let accepted = Self.accepted(body, job) else { continue }
      text = writer.withIndexes(body, of: accepted)
      columnCount = columns.columns.count
      childTableCount = columns.explode.count
      return
    }
    // Nothing but the collection's own name is left to be wrong.
    text = writer.text(nil)
    columnCount = 0
    childTableCount = 0
  }

  /// The job of a text; nil when the reader refuses it.
  static func accepted(_ text: String, _ job: String) -> Job? {
    do {
      let file = try JobFile(
        SourceFile(path: "jobs/\(job).yml", text: text), name: job, variables: [:])
      return file.log.problems.isEmpty ? file.job : nil
    } catch {
      return nil
    }
  }
}

extension JobDraft {
  /// What became of a draft.
  package enum Outcome: String, Hashable, Sendable {
    case written, replaced
    /// A file of the name was there, and stays.
    case kept
    /// Another job copies the collection.
    case copied
  }

  /// Writes the file of a collection's job, and removes what killed writers have left of it.
  ///
  /// - Parameters:
  ///   - workspace: where `jobs/` is.
  ///   - catalog: the jobs that are there.
  ///   - collection: what the draft is about.
  ///   - overwrites: whether a file that is there is replaced.
  /// - Returns: what was done, and the path of the file that is there now.
  /// - Throws: `JobsError.file`; the file that was there stays.
  package func write(
    to workspace: Workspace, _ catalog: JobCatalog, of collection: InspectedCollection,
    overwrites: Bool
  ) throws(JobsError) -> (outcome: Outcome, path: String) {
    if let copier = catalog.copier(of: collection.source), copier != job {
      return (.copied, "jobs/\(copier).yml")
    }
    let names = [path, "jobs/\(job).yaml"]
    let existing = names.first { access(workspace.path($0), F_OK) == 0 }
    try AtomicFile.removeDrafts(of: workspace.path(existing ?? path))
    guard existing == nil || overwrites else { return (.kept, existing ?? path) }
    try AtomicFile.write(Array(text.utf8), to: workspace.path(existing ?? path))
    return (existing == nil ? .written : .replaced, existing ?? path)
  }
}

extension JobCatalog {
  /// The job that copies this collection, whole or in part; nil for none.
  fileprivate func copier(of source: CollectionSource) -> String? {
    jobs.first { job in
      guard let options = job.definition as? SyncCollectionOptions else { return false }
      return options.source.collectionId == source.collectionId
        && options.source.parent == source.parent && options.source.isGroup == source.isGroup
    }?.name
  }
}

/// The names of jobs and tables that a new job file cannot have.
package struct TakenNames: Sendable {
  private var jobs: Set<String> = []
  private var tables: Set<String>

  /// - Parameter catalog: the jobs of the workspace; a draft may have a job's name, to be kept or
  ///   replaced, but not the table of another job.
  package init(_ catalog: JobCatalog) {
    tables = Set(
      catalog.jobs.compactMap { job in
        guard let options = job.definition as? SyncCollectionOptions,
          job.name != Self.jobName(of: options.source.collectionId)
        else { return nil }
        return options.table.lowercased()
      })
  }

  mutating func job(for id: String) -> String {
    let base = Self.jobName(of: id)
    var name = base
    var number = 1
    while !jobs.insert(name).inserted {
      number += 1
      name = "\(base)-\(number)"
    }
    return name
  }

  /// The collection's own name where it can be a table's.
  mutating func table(for id: String) -> String {
    var base = MappingReader.identifier(from: id)
    if base.isEmpty || SyncTable.isReserved(base) { base = "\(base.prefix(50))_documents" }
    var name = base
    var number = 1
    while SyncTable.isReserved(name) || !tables.insert(name.lowercased()).inserted {
      number += 1
      name = "\(base.prefix(MappingReader.longestIdentifier - 6))_\(number)"
    }
    return name
  }

  /// `AppSettings` becomes `app-settings`; `collection` where no letter is left.
  static func jobName(of id: String) -> String {
    var words: [String] = [""]
    var wasLower = false
    for scalar in id.unicodeScalars {
      let isUpper = ("A"..."Z").contains(scalar)
      let isWord = isUpper || ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
      if !isWord || (isUpper && wasLower) { words.append("") }
      if isWord { words[words.count - 1] += String(scalar).lowercased() }
      wasLower = isWord && !isUpper
    }
    let name = String(words.filter { !$0.isEmpty }.joined(separator: "-").prefix(50))
    let trimmed = name.hasSuffix("-") ? String(name.dropLast()) : name
    return trimmed.isEmpty ? "collection" : trimmed
  }
}

/// The lines of a drafted file.
private struct DraftWriter {
  let collection: InspectedCollection
  let table: String
  let incremental: FieldPath?
  let price: ReadPrice
  let day: String

  /// The file; nil columns keep whole documents alone.
  func text(_ columns: DraftColumns?) -> String {
    var lines = head
    let source = collection.source
    lines.append("kind: sync-collection")
    lines.append("description: \(YAMLText.quoted("Copies \(source)"))")
    let parents = columns == nil ? nil : collection.parents
    let isGroup = source.isGroup && parents == nil
    lines.append(
      "\(isGroup ? "collection_group" : "collection"): \(YAMLText.scalar(collection.name))")
    if let parents {
      lines.append("# Only those below such documents; all are 'collection_group' without 'under'.")
      lines.append("under: \(YAMLText.quoted(parents.description))")
    }
    lines.append("table: \(YAMLText.scalar(table))")
    if let columns, !columns.columns.isEmpty {
      lines += ["", "columns:"] + columns.columns.map { "  \($0)" }
    }
    if let columns, !columns.explode.isEmpty {
      lines += ["", "# A table for each, with a row for each element.", "explode:"]
      lines += columns.explode.map { "  \($0)" }
    }
    let isWhole = columns.map { $0.columns.isEmpty || isIncomplete($0) } ?? true
    lines += ["", "# Whole documents as JSON, beside the columns.", "document: \(isWhole)"]
    return (lines + mirror).joined(separator: "\n") + "\n"
  }

  private var head: [String] {
    let count = collection.count.map { "of \(NumberWords.counted($0, "document"))" } ?? ""
    var lines = [
      ConfigurationSchema.comment(for: "jobs/.yml").map { String($0.dropLast()) },
      "# Drafted by `firetally inspect` on \(day) from "
        + "\(NumberWords.grouped(collection.profile.documentCount)) \(count). Read it, then try "
        + "`firetally plan`.",
    ].compactMap(\.self)
    if !collection.places.isEmpty {
      lines.append(comment("Found at \(collection.places.sorted().joined(separator: ", "))."))
    }
    if let reads = collection.fullReads {
      lines.append(
        comment(
          "A full load costs \(NumberWords.counted(reads, "billed read")), about "
            + "\(NumberWords.money(price.cost(of: reads)))."))
    }
    return lines + collection.expiry.map { comment("\($0.clause).") }
  }

  private var mirror: [String] {
    guard let incremental else {
      var lines = ["", "# Every load reads all documents."]
      let others = collection.profile.incrementalCandidates.prefix(3)
      if !others.isEmpty {
        let names = others.map(\.field.description).joined(separator: ", ")
        lines.append(
          comment(
            "If one of these changes with every change of a document, loads can be incremental: "
              + "\(names)."))
      }
      return collection.expiry.isEmpty
        ? lines : lines + ["# The count finds documents that expired.", "deletes: drift"]
    }
    return [
      "", comment("Every sampled document has it; it must change with every change of a document."),
      "incremental: {field: \(YAMLText.quoted(incremental.description))}", "deletes: drift",
    ]
  }

  /// The text with the indexes that the job's queries need, as a comment.
  func withIndexes(_ text: String, of job: Job) -> String {
    guard !IndexFile.indexes(of: [job]).isEmpty else { return text }
    let file = IndexFile.text(of: [job], onOneLine: false).split(separator: "\n")
    return text + "\n# Its queries need in firestore.indexes.json:\n"
      + file.map { comment(String($0)) + "\n" }.joined()
  }

  private func isIncomplete(_ columns: DraftColumns) -> Bool {
    !columns.leftOut.isEmpty || collection.profile.isTruncated
  }

  /// A line that stays one, whatever the names in it.
  private func comment(_ text: String) -> String {
    "# " + VisibleText.line(text)
  }
}

extension InspectedCollection {
  /// The documents that all sampled documents of a group are below; nil for several shapes.
  fileprivate var parents: ParentPattern? {
    guard source.isGroup, places.count == 1, let place = places.first else { return nil }
    return ParentPattern(place.split(separator: "/").dropLast().joined(separator: "/"))
  }

  /// Documents above each document, and itself: 1 in a collection of the root.
  fileprivate var levels: Int {
    guard source.isGroup else { return 1 }
    let depths = Set(places.map { ($0.split(separator: "/").count + 1) / 2 })
    return depths.count == 1 ? depths.first ?? 1 : 1
  }
}
