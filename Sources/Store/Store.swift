import GRDB
package import Model

/// The workspace's database: one SQLite file that a job writes while reports read it.
///
/// In WAL mode a reader sees the last commit and never waits for a writing process. Writers of
/// several processes queue for `DatabaseFile.busyTimeoutSeconds`. A process has one connection,
/// used in turns; a closure must not use its own store again. Errors are `StoreError`, or the
/// closure's own.
package final class Store: Sendable {
  package enum Mode: Sendable {
    /// Creates a missing file and migrates an old schema.
    case readWrite
    /// Writes nothing; the file must exist and have this program's schema.
    case readOnly
  }

  package static var schemaVersion: Int { Schema.version }

  /// Whether a database of this schema can be opened to write: of this program's, or an older
  /// release's.
  package static func canOpen(schema: Int) -> Bool { Schema.leads(from: schema) }

  package let path: String
  let connection: DatabaseQueue
  /// Whether it only reads, by files beside the database that it shares with others.
  private let sharesFiles: Bool

  init(path: String, connection: DatabaseQueue, sharesFiles: Bool = false) {
    self.path = path
    self.connection = connection
    self.sharesFiles = sharesFiles
  }

  /// A reader that was the last to have the database open leaves nothing beside it.
  deinit {
    guard sharesFiles else { return }
    do {
      try connection.close()
      DatabaseFile.removeSharedFiles(beside: path)
    } catch {
      // A statement goes on, whose reader takes them away.
    }
  }

  /// Opens the database at `path`, whose folder must exist; only the owner can read a new file.
  ///
  /// Builds the indexes that a killed load left out, but not for a shard. `willMigrate` is called
  /// before the schema of a database that holds rows is changed. What it throws leaves the database
  /// as it is.
  ///
  /// - Throws: `StoreError`, or what `willMigrate` throws.
  package static func open(
    path: String, mode: Mode = .readWrite, buildsIndexes: Bool = true,
    willMigrate: (PendingMigration) throws -> Void = { _ in }
  ) throws -> Store {
    try StoreError.translating(path: path) {
      try DatabaseFile.checkOrCreate(path: path, mode: mode)
      let connection = try connected(path: path, mode: mode) {
        try Schema.check($0, path: path, mode: mode, willMigrate: willMigrate)
      }
      if mode == .readWrite, buildsIndexes {
        try SystemFailure.telling(on: connection) {
          try connection.writeWithoutTransaction(TableIndexes.restore)
        }
      }
      return Store(path: path, connection: connection, sharesFiles: mode == .readOnly)
    }
  }

  /// Runs statements that SQLite takes outside of a transaction alone; errors name the path.
  func outsideTransaction<T>(
    naming path: String? = nil, _ body: (Database) throws -> T
  ) throws -> T {
    try StoreError.translating(path: path ?? self.path) {
      try connection.writeWithoutTransaction(body)
    }
  }

  /// An empty database in memory, for what has to be known while the disk takes nothing.
  package static func inMemory() throws -> Store {
    let path = ":memory:"
    return try StoreError.translating(path: path) {
      let connection = try DatabaseQueue()
      try Schema.check(connection, path: path, mode: .readWrite)
      return Store(path: path, connection: connection)
    }
  }

  /// A connection to the file that has passed the check.
  static func connected(
    path: String, mode: Mode, _ check: (DatabaseQueue) throws -> Void
  ) throws -> DatabaseQueue {
    do {
      let connection = try DatabaseFile.connect(path: path, mode: mode)
      try SystemFailure.telling(on: connection) { try check(connection) }
      return connection
    } catch let error as DatabaseError
      where mode == .readOnly && DatabaseFile.lacksSharedMemory(error)
    {
      // Readers of WAL share a file beside the database, which a read-only folder or a full disk
      // prevents.
      guard !DatabaseFile.hasLog(path: path) else {
        return try DatabaseFile.connectToCopy(path: path) {
          try Schema.check($0, path: path, mode: mode)
        }
      }
      return try DatabaseFile.connectImmutable(path: path, check)
    }
  }

  /// Whether nothing can be written.
  package var isReadOnly: Bool { connection.configuration.readonly }

  package func read<T>(_ body: (Reader) throws -> T) throws -> T {
    try StoreError.translating(path: path) {
      try SystemFailure.telling(on: connection) {
        try connection.read { try body(Reader(database: $0)) }
      }
    }
  }

  /// Runs one IMMEDIATE transaction: commits when `body` returns, rolls back when it throws.
  package func write<T>(_ body: (Writer) throws -> T) throws -> T {
    try StoreError.translating(path: path) {
      try SystemFailure.telling(on: connection) {
        try connection.write { try body(Writer(database: $0)) }
      }
    }
  }

  /// Runs one transaction like `write`, and returns once a power failure cannot undo it: for what
  /// has to be known of a step that leaves this machine next.
  package func writeDurably<T>(_ body: (Writer) throws -> T) throws -> T {
    try set("PRAGMA synchronous = FULL")
    let outcome = Result { try write(body) }
    try set("PRAGMA synchronous = NORMAL")
    return try outcome.get()
  }

  private func set(_ pragma: String) throws {
    try StoreError.translating(path: path) {
      try connection.writeWithoutTransaction { try $0.execute(sql: pragma) }
    }
  }

  /// Applies the changes in their order, in one transaction: all of them, or none.
  @discardableResult
  package func commit(_ effects: [StoreChange]) throws -> CommitCounts {
    try write { try $0.apply(effects) }
  }

  /// Ends the statement that runs now, if any, with a `CancellationError`.
  ///
  /// Its transaction is rolled back. May be called from any thread.
  package func interrupt() { connection.interrupt() }

  /// Closes the connection; any later use throws.
  package func close() throws {
    try StoreError.translating(path: path) { try connection.close() }
  }
}

/// A database whose schema is about to be changed.
package struct PendingMigration {
  package let schema: Int
  package let target: Int
  let connection: DatabaseQueue

  /// Copies the database as it is into a new file; see `Store.backUp`.
  ///
  /// Another process may have migrated it meanwhile: the copy says what schema it has.
  package func backUp(to destination: String) throws {
    try DatabaseFile.backUp(connection, to: destination)
  }
}

/// One change of a transaction.
///
/// What changes together is a list of these, which `Store.commit` applies in their order.
package enum StoreChange: Sendable {
  /// Drops the table's indexes when building them again costs less than updating them.
  case dropIndexes(SyncTable, addedRows: Int)
  /// Inserts new rows and overwrites changed ones; `children` are the child rows of each page.
  case upsert([TableRows], children: [[ChildRows]] = [], into: SyncTable, at: Instant)
  /// Adds rows to those that `replace` will make the only ones.
  case stage([TableRows], for: SyncTable)
  case clearStaged(SyncTable)
  case replace(SyncTable, at: Instant)
  /// Adds keys to the list of documents that a sweep has found.
  case sweep([TableRows], of: SyncTable)
  /// Stores the keys of documents that became no row.
  case skipped([TableRows], of: SyncTable)
  /// Stores where the job goes on; nil when it is through.
  case cursor(SyncCursor?, job: String, key: String)
  /// Stores a value under a name; nil deletes it.
  case mark(String?, named: MarkName)
  case billedReads(Int, run: Int64)
  case profile(Profile)
  case removeUser(id: String)
  case whetherUsersAreLeft
  case limitState(LimitState, profile: String, feature: Feature)
  /// Deletes a reservation whose use was counted, or whose allowance was reset.
  case endUse(id: Int64)
  /// Deletes a reservation and counts its use no more, unless it is gone.
  case giveBack(use: Int64, profile: String, feature: Feature)
  case popup(shownAt: Instant?, profile: String, feature: Feature)
  case appSessions([AppSession], profile: String)
  case events([Event], source: String)
  case outboxItem(OutboxItem.Kind, profile: String, payload: String, at: Instant)
  /// Changes that depend on what those before have stored.
  case then(@Sendable (Reader, CommitCounts) throws -> [StoreChange])
}

extension StoreChange {
  package static func mark(
    encoding value: some Encodable, named name: MarkName
  ) throws -> StoreChange {
    .mark(try StoredJSON.text(of: value), named: name)
  }
}

/// How many rows the changes of a transaction wrote and deleted so far.
package struct CommitCounts: Hashable, Sendable {
  package var upserted: UpsertCounts = UpsertCounts()
  package var deleted: Int = 0
}

extension Writer {
  @discardableResult
  package func apply(_ effects: [StoreChange]) throws -> CommitCounts {
    var counts = CommitCounts()
    for effect in effects { try apply(effect, &counts) }
    return counts
  }

  private func apply(_ effect: StoreChange, _ counts: inout CommitCounts) throws {
    switch effect {
    case .dropIndexes(let table, let rows): try dropIndexes(of: table, addedRows: rows)
    case .upsert(let pages, let children, let table, let now):
      counts.upserted += try upsert(pages, children, into: table, at: now)
    case .stage(let pages, let table): for page in pages { try stage(page, for: table) }
    case .clearStaged(let table): try clearStagedRows(of: table)
    case .replace(let table, let now):
      let replaced = try replaceRowsWithStaged(of: table, at: now)
      try clearTombstonesOfRows(in: table)
      counts.upserted += replaced.upserted
      counts.deleted += replaced.deleted
    case .sweep(let pages, let table): for keys in pages { try sweep(keys, of: table) }
    case .skipped(let pages, let table): for keys in pages { try noteSkipped(keys, of: table) }
    case .cursor(let cursor?, let job, let key): try setCursor(cursor, job: job, key: key)
    case .cursor(nil, let job, let key): try clearCursor(job: job, key: key)
    case .mark(let value, let name): try setMark(value, named: name)
    case .billedReads(let count, let run): try setBilledReads(count, ofRun: run)
    case .profile(let profile): try save(profile)
    case .removeUser(let id): try deleteUser(id: id)
    case .whetherUsersAreLeft: try recordWhetherEmpty()
    case .limitState(let state, let profile, let feature):
      try setLimitState(state, profile: profile, feature: feature)
    case .endUse(let id): try finishPendingUse(id: id)
    case .giveBack(let id, let profile, let feature):
      guard try finishPendingUse(id: id) else { return }
      try uncountUse(profile: profile, feature: feature)
    case .popup(let time, let profile, let feature):
      try setPopupShownAt(time, profile: profile, feature: feature)
    case .appSessions(let sessions, let profile): try save(sessions, profile: profile)
    case .events(let events, let source): try append(events, source: source)
    case .outboxItem(let kind, let profile, let payload, let now):
      _ = try enqueue(kind, profile: profile, payload: payload, at: now)
    case .then(let more): for effect in try more(reader, counts) { try apply(effect, &counts) }
    }
  }

  private func upsert(
    _ pages: [TableRows], _ children: [[ChildRows]], into table: SyncTable, at now: Instant
  ) throws -> UpsertCounts {
    var counts = UpsertCounts()
    for (index, page) in pages.enumerated() {
      counts += try upsert(
        page, with: children.isEmpty ? [] : children[index], into: table, at: now)
    }
    if counts.inserted > 0 || table.keepsDeleted && counts.updated > 0 {
      try clearTombstonesOfRows(in: table)
    }
    return counts
  }
}

/// The indexes of a table, which a large load drops; see `docs/decisions/013-first-load.md`.
enum TableIndexes {
  /// The fewest rows that a load must add to a table with rows before its indexes are dropped.
  static let newRowsWorthIt = 10_000
  /// The added rows must also be at least one in this many of the present rows.
  static let shareWorthIt = 16
  /// Without indexes, rows are only appended.
  static let loadCacheKibibytes = 4_096
  /// For a load whose keys come in no order: each row is noted in another page of the key's index.
  static let unorderedLoadCacheKibibytes = 24_576

  /// Builds the indexes that a killed first load of users left out; call it outside a transaction.
  ///
  /// It does nothing while another process writes: that may be the load, which builds them itself.
  static func restore(_ database: Database) throws {
    guard try !missing(of: .onlineUsers, in: database).isEmpty else { return }
    try DatabaseFile.withoutWaiting(database) {
      try database.inTransaction(.immediate) {
        while try buildNext(of: .onlineUsers, in: database) {}
        return .commit
      }
    }
  }

  /// Builds the first missing index; false when none is missing.
  static func buildNext(of table: SyncTable, in database: Database) throws -> Bool {
    guard let statement = try missing(of: table, in: database).first else { return false }
    try build(statement, in: database)
    return true
  }

  /// Runs the statement that builds an index of a table with rows.
  static func build(_ statement: String, in database: Database) throws {
    // With a small cache the sorter uses files and a thread of its own, which is twice as fast. A
    // second thread is no faster on two cores.
    let cache = try Int.fetchOne(database, sql: "PRAGMA cache_size") ?? 0
    try database.execute(sql: "PRAGMA cache_size = -2000; PRAGMA threads = 1")
    try database.execute(sql: statement)
    try database.execute(sql: "PRAGMA threads = 0; PRAGMA cache_size = \(cache)")
  }

  /// Drops an index, without zeros over its pages.
  static func drop(_ name: String, in database: Database) throws {
    // Else Debian's SQLite writes zeros over the dropped indexes: docs/privacy.md#deleted-rows.
    try database.execute(
      sql: "PRAGMA secure_delete = FAST; DROP INDEX IF EXISTS main.\(name.quoted)")
  }

  /// Whether building the indexes again after a load costs less than updating them.
  static func isWorthDropping(addedRows: Int, presentRows: Int) -> Bool {
    addedRows >= newRowsWorthIt && addedRows >= presentRows / shareWorthIt
  }

  fileprivate static func missing(of table: SyncTable, in database: Database) throws -> [String] {
    guard !table.indexes.isEmpty else { return [] }
    let present = try String.fetchSet(
      database, sql: "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?",
      arguments: [table.name])
    return table.indexes.filter { !present.contains($0.key) }.sorted { $0.key < $1.key }.map(
      \.value)
  }
}

extension Readable {
  package func lacksIndexes(of table: SyncTable) throws -> Bool {
    try !TableIndexes.missing(of: table, in: reader.database).isEmpty
  }
}

extension Writer {
  /// Drops the table's indexes when building them again costs less than updating them.
  ///
  /// That is so for an empty table, and after a load has added `TableIndexes.newRowsWorthIt` rows
  /// and a sixteenth of the present rows. `buildNextIndex` builds them again; after a crash the
  /// next opening does. Until then queries are slow. `isOrdered` tells whether the rows to come are
  /// in the order of their keys.
  package func dropIndexes(
    of table: SyncTable, addedRows: Int, isOrdered: Bool = true
  ) throws {
    // Counting the rows would read the table; row numbers start at 1.
    let rows = try reader.count("SELECT max(rowid) FROM \(table.quoted)")
    guard
      rows == 0 || TableIndexes.isWorthDropping(addedRows: addedRows, presentRows: rows)
    else { return }
    for name in table.indexes.keys.sorted() { try TableIndexes.drop(name, in: database) }
    let cache =
      isOrdered ? TableIndexes.loadCacheKibibytes : TableIndexes.unorderedLoadCacheKibibytes
    try database.execute(sql: "PRAGMA cache_size = -\(cache)")
  }

  /// Builds the table's first missing index; false when none is missing.
  package func buildNextIndex(of table: SyncTable) throws -> Bool {
    try TableIndexes.buildNext(of: table, in: database)
  }
}
