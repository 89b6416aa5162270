import Feeds
import Glibc
package import Jobs
package import Model
package import Store
import Sync
package import Workspace

/// What a workspace holds, or held, about one person.
package struct PersonFindings: Hashable, Sendable {
  package enum Backup: Hashable, Sendable {
    case holds
    /// It cannot be read here: it is packed, or of another version.
    case unknown
  }

  package var rows = PersonRows()
  /// Lines of rejected imports, by the list's path.
  package var rejectedLines: [String: Int] = [:]
  /// Lines of logs in the folder of the data, by the log's path.
  package var logLines: [String: Int] = [:]
  /// Files of the last reports.
  package var pages: [String] = []
  /// Dated copies of the reports, as paths of folders.
  package var copies: [String] = []
  /// Copies of the database that hold the person, or may; no other is named.
  package var backups: [String: Backup] = [:]
  /// When the person was erased before; nil for the first time.
  package var erasedAt: Instant?

  /// Whether there is something to remove; backups are not removed.
  package var isEmpty: Bool {
    rows.total == 0 && rejectedLines.isEmpty && logLines.isEmpty && pages.isEmpty && copies.isEmpty
  }
}

/// Removes everything that a workspace holds about one person, and keeps loads from bringing it
/// back; see `docs/privacy.md#erase-a-person`.
///
/// Dying at any point leaves a state from which doing it again ends as if it had been done once:
/// rows and tombstone commit together, and whoever has a tombstone is looked for again.
package struct PersonErasure: Sendable {
  /// What is done, in this order.
  package enum Step: CaseIterable, Sendable {
    case rows, scrubbing, rejects, logs, copies, pages, list
  }

  private let workspace: Workspace
  private let catalog: JobCatalog
  private let store: Store
  private let id: String
  /// Is called after each step; a test dies there.
  private let done: @Sendable (Step) throws -> Void

  package init(
    _ workspace: Workspace, _ catalog: JobCatalog, _ store: Store, id: String,
    done: @escaping @Sendable (Step) throws -> Void = { _ in }
  ) {
    self.workspace = workspace
    self.catalog = catalog
    self.store = store
    self.id = id
    self.done = done
  }

  /// When a person was erased; nil for one who was not.
  package static func erasedAt(_ id: String, in store: Store) throws -> Instant? {
    try store.read { reader -> Instant? in
      guard let hash = try ErasureKey.stored(reader)?.of(id: id) else { return nil }
      return try reader.erasedAt(hash: hash)
    }
  }

  /// Looks everywhere and changes nothing; finds nothing of an id that is nobody's.
  package func find() throws -> PersonFindings {
    var findings = PersonFindings()
    let isSomebody = try store.read { reader in
      if let hash = try ErasureKey.stored(reader)?.of(id: id) {
        findings.erasedAt = try reader.erasedAt(hash: hash)
      }
      guard
        try findings.erasedAt != nil
          || reader.isSomebody(id: id, userCollections: userCollections)
      else { return false }
      findings.rows = try reader.personRows(id: id)
      return true
    }
    guard isSomebody else { return findings }
    let files = files()
    for list in try files.rejects() {
      let count = try RejectsFile.count(of: id, in: list)
      if count > 0 { findings.rejectedLines[list] = count }
    }
    for log in try files.logs() {
      let count = try RejectsFile.count(of: id, in: log)
      if count > 0 { findings.logLines[log] = count }
    }
    if try mayBeInReports() {
      findings.pages = try files.pages()
      findings.copies = try files.copies().flatMap { copy in
        copy.days.map { "\(copy.history.path)/\($0)" }
      }
    }
    for backup in try files.backups() { findings.backups[backup] = holding(backup) }
    return findings
  }

  /// The exports that hold the id as a word, or cannot be read; no erasure changes them.
  package func exports() -> [String: PersonFindings.Backup] {
    let words = WholeWord.written(id).map { Array($0.utf8) }
    let held = files().exports().compactMap { path -> (String, PersonFindings.Backup)? in
      do throws(FeedError) {
        let isHeld = try GA4Export.hasLine(in: path) { line in
          words.contains { WholeWord.isFound($0, in: line) }
        }
        return isHeld ? (path, .holds) : nil
      } catch {
        return (path, .unknown)
      }
    }
    return Dictionary(uniqueKeysWithValues: held)
  }

  /// Removes what `find` finds, except backups.
  ///
  /// - Precondition: the caller holds the workspace's lock.
  /// - Returns: false when another process kept the log of the database from being emptied.
  package func perform(at now: Instant) throws -> Bool {
    let files = files()
    let hasReports = try mayBeInReports()
    _ = try store.erasing { writer in
      try writer.noteErasure(isUnfinished: true)
      try writer.noteErased(hash: try ErasureKey.made(in: writer).of(id: id), at: now)
      return try writer.erasePerson(id: id)
    }
    try done(.rows)
    let isClean = try store.scrub()
    try done(.scrubbing)
    for list in try files.rejects() { try RejectsFile.removeLines(naming: id, in: list) }
    try done(.rejects)
    for log in try files.logs() { try RejectsFile.removeLines(naming: id, in: log) }
    try done(.logs)
    for copy in try hasReports ? files.copies() : [] { try copy.history.remove(days: copy.days) }
    try done(.copies)
    for page in try hasReports ? files.pages() : [] { try FileContents.remove(page) }
    try done(.pages)
    // Last, since a command that encrypts it may fail or take its time.
    try writeList(at: now)
    try done(.list)
    try store.write { try $0.noteErasure(isUnfinished: false) }
    return isClean
  }

  /// Writes the tombstones beside the backups, for where the database is lost.
  private func writeList(at now: Instant) throws {
    guard let erasures = try store.read({ try $0.erasures() }) else { return }
    try ErasureList.write(
      erasures, to: BackupFolder(workspace.backupsFolder),
      BackupCipher(try workspace.config(), in: workspace), at: now)
  }

  /// Not for who was erased before, unless rows came back or that erasure did not end.
  private func mayBeInReports() throws -> Bool {
    try store.read { reader in
      guard let hash = try ErasureKey.stored(reader)?.of(id: id),
        try reader.erasedAt(hash: hash) != nil
      else { return true }
      return try reader.isErasureUnfinished() || reader.personRows(id: id).total > 0
    }
  }

  /// Whatever the jobs call the collection of users, and what the app calls it.
  private var userCollections: Set<String> {
    let ofJobs = catalog.jobs.filter { $0.kind == SyncUsersOptions.kind }
      .compactMap(\.definition.copies?.collectionId)
    return Set(ofJobs + [SyncUsersOptions.defaults.collection])
  }

  private func files() -> PersonFiles {
    PersonFiles(workspace: workspace, catalog: catalog)
  }

  /// Nil for a backup without the person.
  private func holding(_ path: String) -> PersonFindings.Backup? {
    let draft = AtomicFile.temporaryPath(for: workspace.databasePath)
    defer { RestoredDatabase.remove(draft) }
    do {
      if path.hasSuffix(".gz") {
        let file = try FileDescriptor.open(draft, O_WRONLY | O_CREAT | O_EXCL, to: "write")
        guard try Gzip.expand(path, into: file, at: draft) == nil else { return .unknown }
      }
      let copy = try Store.open(path: path.hasSuffix(".gz") ? draft : path, mode: .readOnly)
      let total = try copy.read { try $0.personRows(id: id).total }
      try copy.close()
      return total > 0 ? .holds : nil
    } catch {
      return .unknown
    }
  }
}
