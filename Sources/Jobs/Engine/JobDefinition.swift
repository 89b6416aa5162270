package import Firestore
package import Model
package import Sync

/// What the jobs of one kind do: how their files are read, the work, and its price.
///
/// A kind is a folder under `Jobs/Kinds` with its options, which conform to this, and its work; it
/// is added to `JobRegistry.all`. See `docs/guides/add-a-job-kind.md`.
package protocol JobDefinition: Hashable, Sendable {
  /// The word after `kind:`.
  static var kind: JobKind { get }

  /// The keys that a file of this kind may have beside those of every job.
  static var options: OptionKeys<Self> { get }

  /// Whether the work only reads the database.
  ///
  /// Such a job needs no lock. In a run of several it comes last, and it runs also when a job that
  /// it needs has failed.
  static var isReadOnly: Bool { get }

  /// The job file that `firetally init` writes; nil for a kind that needs to be filled in.
  static var template: WorkspaceTemplate.File? { get }

  /// Checks the keys against each other, reports conflicts to the reader's log, and fills options
  /// that depend on several keys or on the job's name.
  mutating func check(_ reader: MappingReader, job: String)

  /// Billed reads that one run may make; nil for as many as it takes.
  var maxReads: Int? { get }

  /// Every query that the job and its commands can send; only the values in it may differ.
  var queries: [StructuredQuery] { get }

  /// Hooks of the kind itself, by their keys.
  var hooks: [String: Hook] { get }

  /// The tables that the job keeps equal to what it reads, each with the key that names it; no
  /// other job may fill them.
  var tables: [(key: String, name: String)] { get }

  /// The documents that the job copies; nil for other jobs. References are paths below the
  /// database.
  var copies: CollectionSource? { get }

  /// Whether a whole copy keeps the rows of deleted documents.
  var keepsGoneRows: Bool { get }

  /// Folders that the job writes pages into, from the workspace.
  var outputFolders: [String] { get }

  /// Files beside the job's own that it reads its options from, from the workspace.
  var files: [String] { get }

  /// The job's secrets in variables and files, without those that a command prints.
  var secrets: [SecretSource] { get }

  /// Lists of the lines that the job could not read, from the workspace.
  var rejectLists: [String] { get }

  /// The load of the job that shards divide; nil for a kind that cannot be divided.
  ///
  /// `owner` is the app user whose own document is left out; the context's instant is the time of
  /// the rows.
  ///
  /// - Throws: `ShardedJob.refusal` for a job that cannot be divided as it is declared.
  func sharded(
    _ job: Job, in root: ResourceName, owner: String?, _ context: JobContext
  ) throws -> ShardedJob?

  /// The work of one run, with what it depends on as it is now.
  func work(_ job: String, _ context: JobContext) throws -> any JobWork
}

extension JobDefinition {
  package static var isReadOnly: Bool { false }
  package static var template: WorkspaceTemplate.File? { nil }
  package var maxReads: Int? { nil }
  package var queries: [StructuredQuery] { [] }
  package var hooks: [String: Hook] { [:] }
  package var tables: [(key: String, name: String)] { [] }
  package var copies: CollectionSource? { nil }
  package var keepsGoneRows: Bool { false }
  package var outputFolders: [String] { [] }
  package var files: [String] { [] }
  package var secrets: [SecretSource] { [] }
  package var rejectLists: [String] { [] }
  package func sharded(
    _ job: Job, in root: ResourceName, owner: String?, _ context: JobContext
  ) throws -> ShardedJob? { nil }
  package mutating func check(_ reader: MappingReader, job: String) {}

  package static var keys: [ConfigurationKey] { options.table }
  /// What a file says that has the required keys alone.
  package static var defaults: Self { options.defaults }

  /// Reads a job file; what is wrong with it goes to the reader's log.
  package init(_ reader: MappingReader, job: String) {
    self = Self.options.read(reader)
    check(reader, job: job)
  }
}

/// The work of one run of a job: what it would do, and doing it.
package protocol JobWork: Sendable {
  /// Why the work is done now.
  var trigger: Run.Trigger { get }

  /// What the work would do, as a sentence; changes nothing and requests nothing.
  func plan() throws -> String

  /// What it would change in existing tables; changes nothing and requests nothing.
  ///
  /// - Throws: what `perform` would end with before its first request.
  func schemaChanges() throws -> [SchemaChange]

  /// What it would ask servers for; changes nothing and asks for no document.
  func plannedRequests() async throws -> PlannedRequests

  /// Does the work within a read budget.
  ///
  /// Dying anywhere inside must leave a state from which doing it again ends as if it had been
  /// done once.
  func perform(within budget: RunBudget) async throws -> JobResult
}

extension JobWork {
  package var trigger: Run.Trigger { .scheduled }

  package func schemaChanges() throws -> [SchemaChange] { [] }

  package func plannedRequests() async throws -> PlannedRequests { PlannedRequests() }
}

package enum JobRegistry {
  /// In the order in which errors list them and `firetally init` writes their files.
  package static let all: [any JobDefinition.Type] = [
    SyncSettingsOptions.self, SyncUsersOptions.self, SyncCollectionOptions.self,
    SyncReviewsOptions.self, SyncFeedbackOptions.self, SyncAuthOptions.self,
    ImportEventsOptions.self, UploadOutboxOptions.self, SettleOptions.self, ReportOptions.self,
    DigestOptions.self, MaintainOptions.self,
  ]

  static func definition(of kind: JobKind) -> (any JobDefinition.Type)? {
    all.first { $0.kind == kind }
  }
}

/// The word for what a job does: in its file after `kind:`, in the database and in reports.
package struct JobKind: Hashable, Sendable {
  package let rawValue: String

  /// The word of a new kind; `init(rawValue:)` takes only those that are registered.
  package init(_ word: String) { rawValue = word }
}

extension JobKind: RawRepresentable, CaseIterable {
  package static var allCases: [JobKind] { JobRegistry.all.map { $0.kind } }

  package init?(rawValue: String) {
    guard Self.allCases.contains(where: { $0.rawValue == rawValue }) else { return nil }
    self.rawValue = rawValue
  }
}
