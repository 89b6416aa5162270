package import CollectionMapping
package import Firestore
package import Model
import Store
package import Sync
package import Workspace

/// One job of the workspace, as its file describes it.
package struct Job: Sendable {
  /// The file's name without `.yml`.
  package var name: String
  /// The kind's options, which define the work.
  package var definition: any JobKind
  package var description = ""
  /// The cron schedule; nil when the job runs only on request.
  package var schedule: CronSchedule?
  /// Jobs that come first when both are selected; sorted.
  package var needs: [String] = []
  /// The time limit; nil for none.
  package var timeout: Duration?
  /// The delay after which a start counts as late; nil for the default of `grace`.
  package var lateAfter: Duration?
  package var hooks = JobHooks()

  package var kind: JobKindName { type(of: definition).kind }

  /// The path of the collection that the job copies, or the group's id; nil for other jobs.
  package var collection: String? {
    definition.copies.map {
      [$0.parent, $0.collectionId].compactMap(\.self).joined(separator: "/")
    }
  }

  /// Whether its runs need no lock; see `JobKind.isReadOnly`.
  package var isReadOnly: Bool { type(of: definition).isReadOnly }

  /// Whether a text is a job's name: lower-case words joined by hyphens, at most 64 letters.
  package static func isName(_ text: String) -> Bool {
    text.isWords(joinedBy: "-") && text.utf8.count <= 64
  }
}

/// The jobs of a workspace, and the job files that are wrong.
package struct JobCatalog: Sendable {
  /// By name.
  package var jobs: [Job]
  /// Sorted by name; no name is also in `jobs`.
  package var broken: [BrokenJob]

  package init(jobs: [Job], broken: [BrokenJob] = []) {
    self.jobs = jobs
    self.broken = broken
  }

  /// The problems of all wrong files; nil when there are none.
  package var error: ConfigurationError? {
    broken.isEmpty ? nil : ConfigurationError(broken.flatMap(\.error.problems))
  }

  /// The files that the jobs name, relative to the workspace or absolute.
  package var files: [String] { jobs.flatMap(\.definition.files) }

  /// The same jobs, with the default for each hook that a job does not name.
  package func inheriting(_ hooks: JobHooks) -> JobCatalog {
    var catalog = self
    for index in catalog.jobs.indices {
      catalog.jobs[index].hooks = catalog.jobs[index].hooks.inheriting(hooks)
    }
    return catalog
  }

  /// The job of a name.
  ///
  /// - Throws: `WorkspaceError.jobFiles` when its file is wrong, `WorkspaceError.unknownJob`
  ///   without one.
  func job(named name: String) throws(WorkspaceError) -> Job {
    if let job = jobs.first(where: { $0.name == name }) { return job }
    if let broken = broken.first(where: { $0.name == name }) { throw broken.problem }
    throw JobOrder.unknown(name, among: jobs.map(\.name) + broken.map(\.name))
  }

  /// - Throws: `WorkspaceError.refused` when one of these jobs cannot load a managed export.
  package func checkLoadsExports(_ names: [String]) throws(WorkspaceError) {
    for job in jobs where names.contains(job.name) {
      guard !type(of: job.definition).loadsExports else { continue }
      throw .refused(
        .usage,
        "The job \(job.name) has the kind \(job.kind.rawValue), which loads no exports. --from goes "
          + "with jobs of the kinds sync-collection, sync-users and sync-feedback.")
    }
  }

  /// Returns the first job of a kind, by name, with its options.
  ///
  /// - Throws: `missing` when there is none, or `WorkspaceError.jobFiles` when a wrong file may be
  ///   that job.
  package func first<Options: JobKind>(
    _ type: Options.Type, orThrow missing: WorkspaceError
  ) throws(WorkspaceError) -> (job: Job, options: Options) {
    for job in jobs {
      if let options = job.definition as? Options { return (job, options) }
    }
    let candidates = broken.filter { $0.kind == nil || $0.kind == Options.kind }
    guard !candidates.isEmpty else { throw missing }
    throw .jobFiles(ConfigurationError(candidates.flatMap(\.error.problems)))
  }
}

/// A job that cannot run, because its file is wrong.
package struct BrokenJob: Hashable, Sendable {
  package var name: String
  /// The kind; nil when the file does not name one or cannot be read.
  package var kind: JobKindName?
  package var error: ConfigurationError

  /// The error of a run of this job.
  package var problem: WorkspaceError { .jobFiles(error) }

  /// The word for its kind in lists and in the ledger.
  package var kindWord: String { kind?.rawValue ?? Self.unknownKind }

  package static let unknownKind = "unknown"
}

/// A kind of job: the options in its files, its work and its cost.
///
/// Each kind is a folder under `Jobs/Kinds` with its options, which conform to this, and its work;
/// it is added to `JobRegistry.all`. See `docs/guides/add-a-job-kind.md`.
package protocol JobKind: Hashable, Sendable {
  /// The value of `kind:` in job files.
  static var kind: JobKindName { get }

  /// The keys that files of this kind may have in addition to the common ones.
  static var options: OptionKeys<Self> { get }

  /// Whether the work only reads the database.
  ///
  /// Such a job needs no lock. A run of several jobs runs it last, even when a job that it needs
  /// has failed.
  static var isReadOnly: Bool { get }

  /// Whether the work can load a managed export instead of asking Firestore.
  static var loadsExports: Bool { get }

  /// Checks the keys against each other, reports conflicts to the reader's log, and fills options
  /// that depend on several keys or on the job's name.
  mutating func check(_ reader: MappingReader, job: String)

  /// The limit of billed reads of one run; nil for none.
  var maxReads: Int? { get }

  /// The shapes of all queries that the job and its commands can send; only the values differ.
  var queries: [StructuredQuery] { get }

  /// The kind's own hooks, by their keys.
  var hooks: [String: Hook] { get }

  /// The tables that the job keeps equal to what it reads, each with the key that names it.
  ///
  /// No other job may fill them.
  var tables: [(key: String, name: String)] { get }

  /// The documents that the job copies; nil for other jobs. References are paths below the
  /// database.
  var copies: CollectionSource? { get }

  /// Whether the job reads this collection for the app's own commands and pages, which then need no
  /// other copy.
  func reads(_ collection: InspectedCollection) -> Bool

  /// Whether a complete copy keeps the rows of deleted documents.
  var keepsGoneRows: Bool { get }

  /// How masked copies treat the fields of the job's documents; nil for jobs without documents.
  var masks: CollectionMasks? { get }

  /// The folders that the job writes pages into, relative to the workspace.
  var outputFolders: [String] { get }

  /// The other files that the job reads options from, relative to the workspace.
  var files: [String] { get }

  /// The job's secrets in variables and files, each with its key without `_env` or `_file`.
  ///
  /// Secrets that a command prints are not included.
  var secrets: [(key: String, source: SecretSource)] { get }

  /// The lists of lines that the job could not read, relative to the workspace.
  var rejectLists: [String] { get }
  /// The patterns of event files that the job reads, relative to the workspace.
  var exportPatterns: [String] { get }

  /// The job's load as shards can divide it; nil for a kind that cannot be divided.
  ///
  /// The load leaves out the document of the app user `owner`. The context's instant is the time of
  /// the rows.
  ///
  /// - Throws: `ShardedJob.refusal` when this job's options prevent dividing it.
  func sharded(
    _ job: Job, in root: ResourceName, owner: String?, _ context: JobContext
  ) throws -> ShardedJob?

  /// Returns the work of one run, with its current dependencies.
  func work(_ job: String, _ context: JobContext) throws -> any JobWork
}

extension JobKind {
  package static var isReadOnly: Bool { false }
  package static var loadsExports: Bool { false }
  package var maxReads: Int? { nil }
  package var queries: [StructuredQuery] { [] }
  package var hooks: [String: Hook] { [:] }
  package var tables: [(key: String, name: String)] { [] }
  package var copies: CollectionSource? { nil }
  package func reads(_ collection: InspectedCollection) -> Bool { false }
  package var keepsGoneRows: Bool { false }
  package var masks: CollectionMasks? { nil }
  package var outputFolders: [String] { [] }
  package var files: [String] { [] }
  package var secrets: [(key: String, source: SecretSource)] { [] }
  package var rejectLists: [String] { [] }
  package var exportPatterns: [String] { [] }
  package func sharded(
    _ job: Job, in root: ResourceName, owner: String?, _ context: JobContext
  ) throws -> ShardedJob? { nil }
  package mutating func check(_ reader: MappingReader, job: String) {}

  package static var keys: [ConfigurationKey] { options.table }
  /// The options of a file that has only the required keys.
  package static var defaults: Self { options.defaults }

  /// Reads a job file; reports problems to the reader's log.
  package init(_ reader: MappingReader, job: String) {
    self = Self.options.read(reader)
    check(reader, job: job)
  }
}

/// The work of one run of a job: its plan and its execution.
package protocol JobWork: Sendable {
  /// The reason for the run.
  var trigger: Run.Trigger { get }

  /// Describes the work in a sentence; changes nothing and requests nothing.
  func plan() throws -> String

  /// Returns the planned changes of existing tables; changes nothing and requests nothing.
  ///
  /// - Throws: the error that `perform` would throw before its first request.
  func schemaChanges() throws -> [SchemaChange]

  /// Returns the planned requests to servers; changes nothing and requests no document.
  func plannedRequests() async throws -> PlannedRequests

  /// Does the work within a read budget.
  ///
  /// It is crash-safe: wherever the process dies, repeating the work ends in the same state as
  /// doing it once.
  func perform(within budget: RunBudget) async throws -> JobResult
}

extension JobWork {
  package var trigger: Run.Trigger { .scheduled }

  package func schemaChanges() throws -> [SchemaChange] { [] }

  package func plannedRequests() async throws -> PlannedRequests { PlannedRequests() }
}

package enum JobRegistry {
  /// In the order in which errors list them.
  package static let all: [any JobKind.Type] = [
    SyncSettingsOptions.self, SyncUsersOptions.self, SyncCollectionOptions.self,
    SyncReviewsOptions.self, SyncFeedbackOptions.self, SyncAuthOptions.self,
    ImportEventsOptions.self, ImportPurchasesOptions.self, UploadOutboxOptions.self,
    SettleOptions.self, ReportOptions.self, DigestOptions.self, MaintainOptions.self,
  ]

  static func definition(of kind: JobKindName) -> (any JobKind.Type)? {
    all.first { $0.kind == kind }
  }
}

extension JobKindName: RawRepresentable, CaseIterable {
  package static var allCases: [JobKindName] { JobRegistry.all.map { $0.kind } }

  /// Accepts only the words of registered kinds.
  package init?(rawValue: String) {
    guard let kind = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = kind
  }
}
