import Feeds
import Glibc
package import Jobs
package import Model
package import Store
import Sync
package import Workspace

/// The data that a workspace holds, or held, about one person.
package struct PersonFindings: Hashable, Sendable {
  package enum Backup: Hashable, Sendable {
    case holds
    /// It cannot be read here, because it is packed or of another version.
    case unknown
  }

  package var rows = PersonRows()
  /// The numbers of lines of rejected imports, by the list's path.
  package var rejectedLines: [String: Int] = [:]
  /// The numbers of lines in logs of the data folder, by the log's path.
  package var logLines: [String: Int] = [:]
  /// The files of the last reports.
  package var pages: [String] = []
  /// The dated copies of the reports, as paths of folders.
  package var copies: [String] = []
  /// The copies of the database that hold the person, or may; others are left out.
  package var backups: [String: Backup] = [:]
  /// The time of an earlier erasure; nil for the first one.
  package var erasedAt: Instant?

  /// Whether there is nothing to remove; backups are never removed.
  package var isEmpty: Bool {
    rows.total == 0 && rejectedLines.isEmpty && logLines.isEmpty && pages.isEmpty && copies.isEmpty
  }
}

/// Removes all data of a workspace about one person, and prevents loads from adding it again; see
/// `docs/privacy.md#erase-a-person`.
///
/// It is crash-safe: rows and tombstone are committed together, and an erasure of a person with a
/// tombstone searches again.
package struct PersonErasure: Sendable {
  /// The steps of an erasure, in this order.
  package enum Step: CaseIterable, Sendable {
    case rows, scrubbing, rejects, logs, copies, pages, list
  }

  private let workspace: Workspace
  private let catalog: JobCatalog
  private let store: Store
  private let id: String
  /// Called after each step; a test can stop there.
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

  /// Returns when a person was erased; nil for a person who was not.
  package static func erasedAt(_ id: String, in store: Store) throws -> Instant? {
    try store.read { reader -> Instant? in
      guard let hash = try ErasureKey.stored(reader)?.of(id: id) else { return nil }
      return try reader.erasedAt(hash: hash)
    }
  }

  /// Searches everywhere and changes nothing; an unknown id has no findings.
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

  /// Returns the exports that contain the id as a word, or are unreadable; no erasure changes them.
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

  /// Removes everything that `find` finds, except backups.
  ///
  /// - Precondition: the caller holds the workspace's lock.
  /// - Returns: false when another process prevented truncating the database's log.
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
    // The list comes last, since a command that encrypts it may fail or be slow.
    try writeList(at: now)
    try done(.list)
    try store.write { try $0.noteErasure(isUnfinished: false) }
    return isClean
  }

  /// Writes the tombstones beside the backups, in case the database is lost.
  private func writeList(at now: Instant) throws {
    guard let erasures = try store.read({ try $0.erasures() }) else { return }
    try ErasureList.write(
      erasures, to: BackupFolder(workspace.backupsFolder),
      BackupCipher(try workspace.config(), in: workspace), at: now)
  }

  /// Whether reports may name the person: not after a finished erasure, unless rows came back.
  private func mayBeInReports() throws -> Bool {
    try store.read { reader in
      guard let hash = try ErasureKey.stored(reader)?.of(id: id),
        try reader.erasedAt(hash: hash) != nil
      else { return true }
      return try reader.isErasureUnfinished() || reader.personRows(id: id).total > 0
    }
  }

  /// The collections of users: those of the jobs, and that of the app.
  private var userCollections: Set<String> {
    let ofJobs = catalog.jobs.filter { $0.kind == SyncUsersOptions.kind }
      .compactMap(\.definition.copies?.collectionId)
    return Set(ofJobs + [SyncUsersOptions.defaults.collection])
  }

  private func files() -> PersonFiles {
    PersonFiles(workspace: workspace, catalog: catalog)
  }

  /// Returns whether a backup holds the person; nil when it does not.
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
