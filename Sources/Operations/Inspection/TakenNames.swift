import CollectionMapping
package import Jobs
import Store
import Sync
import Workspace

/// The names of jobs and tables that a drafted job file cannot have; see `docs/inspect.md#names`.
package struct TakenNames: Sendable {
  private let catalog: JobCatalog
  private var jobs: Set<String>
  /// The owner of each table, child table and view, by lower-case name.
  private var owners: [String: String] = [:]

  package init(_ catalog: JobCatalog) {
    self.catalog = catalog
    // A broken file of this kind, or without a kind, may be an edited draft: it is kept.
    let others = catalog.broken.filter { $0.kind.map { $0 != SyncCollectionOptions.kind } ?? false }
    jobs = Set(catalog.jobs.map(\.name) + others.map(\.name))
    for job in catalog.jobs {
      for table in job.definition.tables { own(table.name, job.name) }
    }
  }

  /// Returns the name of a collection's job: that of an earlier draft, or a new one, which is then
  /// taken.
  mutating func job(for source: CollectionSource) -> String {
    let base = Self.jobName(of: source.collectionId)
    if let copier = catalog.copier(of: source), Self.isNumbered(copier, base) { return copier }
    var name = base
    var number = 1
    while !jobs.insert(name).inserted {
      number += 1
      name = "\(base)-\(number)"
    }
    return name
  }

  /// Returns the table name for a try: the collection's own name if it can be a table's.
  static func table(for id: String, try number: Int) -> String {
    var base = MappingReader.identifier(from: id)
    if base.isEmpty || SyncTable.isReserved(base) { base = "\(base.prefix(50))_documents" }
    let name = numbered(base, number)
    // All names with the prefix of SQLite's own tables are reserved.
    return SyncTable.isReserved(name) ? numbered("collection_\(base.prefix(47))", number) : name
  }

  private static func numbered(_ base: String, _ number: Int) -> String {
    number == 1 ? base : "\(base.prefix(MappingReader.longestIdentifier - 6))_\(number)"
  }

  /// Takes the tables for a job, unless one belongs to another job or to the program.
  mutating func take(_ tables: [String], for job: String) -> Bool {
    let areFree = tables.allSatisfy { table in
      !SyncTable.isReserved(table)
        && Self.names(of: table).allSatisfy { owners[$0].map { $0 == job } ?? true }
    }
    guard areFree else { return false }
    for table in tables { own(table, job) }
    return true
  }

  private mutating func own(_ table: String, _ job: String) {
    for name in Self.names(of: table) { owners[name] = job }
  }

  private static func names(of table: String) -> [String] {
    [table.lowercased(), "v_\(table.lowercased())"]
  }

  /// Whether a name is `base`, or `base` with a number.
  private static func isNumbered(_ name: String, _ base: String) -> Bool {
    guard name != base else { return true }
    let number = name.dropFirst(base.utf8.count + 1)
    return name.hasPrefix("\(base)-") && !number.isEmpty && number.allSatisfy(\.isWholeNumber)
  }

  /// Returns `app-settings` for `AppSettings`; `collection` when no letter is left.
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

extension JobCatalog {
  /// Returns the job that copies this collection, completely or in part; nil for none.
  func copier(of source: CollectionSource) -> String? {
    jobs.first { job in
      guard job.kind == SyncCollectionOptions.kind, let copied = job.definition.copies else {
        return false
      }
      return copied.collectionId == source.collectionId && copied.parent == source.parent
        && copied.isGroup == source.isGroup
    }?.name
  }

  /// Returns the job of the app's own kinds that reads a collection, as `online-users` reads
  /// `Users`; nil for none.
  func ownReader(of collection: InspectedCollection) -> String? {
    jobs.first { $0.definition.reads(collection) }?.name
  }
}
