package import Firestore
package import Model
import Store
package import Sync
package import Workspace

/// One job of the workspace, as its file describes it.
package struct Job: Sendable {
  /// The file's name without `.yml`.
  package var name: String
  /// What it does, and how.
  package var definition: any JobDefinition
  package var description = ""
  /// Nil: runs only when asked for.
  package var schedule: CronSchedule?
  /// Jobs that come first when both are selected; sorted.
  package var needs: [String] = []
  /// Nil: as long as it takes.
  package var timeout: Duration?
  /// How late it may start before it is late; nil for the default of `grace`.
  package var lateAfter: Duration?
  package var hooks = JobHooks()

  package var kind: JobKind { type(of: definition).kind }

  /// The path of the collection that the job copies, or the group's id; nil for other jobs.
  package var collection: String? {
    definition.copies.map {
      [$0.parent, $0.collectionId].compactMap(\.self).joined(separator: "/")
    }
  }

  /// Whether its runs need no lock; see `JobDefinition.isReadOnly`.
  package var isReadOnly: Bool { type(of: definition).isReadOnly }

  /// Whether a text is a job's name: lower-case words joined by hyphens, at most 64 letters.
  package static func isName(_ text: String) -> Bool {
    let words = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let isPlain = words.allSatisfy { word in
      !word.isEmpty && word.allSatisfy { (97...122).contains($0) || (48...57).contains($0) }
    }
    return isPlain && text.utf8.count <= 64
  }
}

/// The jobs of a workspace, and the job files that are wrong.
package struct JobCatalog: Sendable {
  /// By name.
  package var jobs: [Job]
  /// By name; none of them is among `jobs`.
  package var broken: [BrokenJob]

  package init(jobs: [Job], broken: [BrokenJob] = []) {
    self.jobs = jobs
    self.broken = broken
  }

  /// All that is wrong with any of the files; nil when nothing is.
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
  /// - Throws: `JobsError.jobFiles` when its file is wrong, `JobsError.unknownJob` without one.
  func job(named name: String) throws(JobsError) -> Job {
    if let job = jobs.first(where: { $0.name == name }) { return job }
    if let broken = broken.first(where: { $0.name == name }) { throw broken.problem }
    throw JobOrder.unknown(name, among: jobs.map(\.name) + broken.map(\.name))
  }

  /// - Throws: `JobsError.refused` for a job of these that cannot load a managed export.
  package func checkLoadsExports(_ names: [String]) throws(JobsError) {
    for job in jobs where names.contains(job.name) {
      guard !type(of: job.definition).loadsExports else { continue }
      throw .refused(
        .usage,
        "The job \(job.name) has the kind \(job.kind.rawValue), which loads no exports. --from goes "
          + "with jobs of the kinds sync-collection, sync-users and sync-feedback.")
    }
  }

  /// The first job of a kind, by name, with its options.
  ///
  /// - Throws: `missing`, or `JobsError.jobFiles` when a file that is wrong may be the one.
  package func first<Options: JobDefinition>(
    _ type: Options.Type, orThrow missing: JobsError
  ) throws(JobsError) -> (job: Job, options: Options) {
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
  /// Nil when the file does not say, or cannot be read.
  package var kind: JobKind?
  package var error: ConfigurationError

  /// What a run of it comes to.
  package var problem: JobsError { .jobFiles(error) }

  /// The word for its kind in lists and in the ledger.
  package var kindWord: String { kind?.rawValue ?? "unknown" }
}

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

  /// Whether the work can load a managed export instead of asking Firestore.
  static var loadsExports: Bool { get }

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

  /// Whether the job reads the documents of this collection for the app's own commands and pages,
  /// so that nobody needs a copy besides.
  func reads(_ collection: InspectedCollection) -> Bool

  /// Whether a whole copy keeps the rows of deleted documents.
  var keepsGoneRows: Bool { get }

  /// What masked copies do with the fields of the job's documents; nil for jobs without documents.
  var masks: CollectionMasks? { get }

  /// Folders that the job writes pages into, from the workspace.
  var outputFolders: [String] { get }

  /// Files beside the job's own that it reads its options from, from the workspace.
  var files: [String] { get }

  /// The job's secrets in variables and files, without those that a command prints; each with its
  /// key, without `_env` or `_file`.
  var secrets: [(key: String, source: SecretSource)] { get }

  /// Lists of the lines that the job could not read, from the workspace.
  var rejectLists: [String] { get }
  /// Patterns of the files of events that the job reads; the workspace's folder is their root.
  var exportPatterns: [String] { get }

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
  /// In the order in which errors list them.
  package static let all: [any JobDefinition.Type] = [
    SyncSettingsOptions.self, SyncUsersOptions.self, SyncCollectionOptions.self,
    SyncReviewsOptions.self, SyncFeedbackOptions.self, SyncAuthOptions.self,
    ImportEventsOptions.self, ImportPurchasesOptions.self, UploadOutboxOptions.self,
    SettleOptions.self, ReportOptions.self, DigestOptions.self, MaintainOptions.self,
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
