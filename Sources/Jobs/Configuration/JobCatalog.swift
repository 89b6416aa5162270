/// The jobs of a workspace, and the job files that are wrong.
package struct JobCatalog: Hashable, Sendable {
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

  /// The same jobs, with a default for each hook of which a job says nothing.
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

  /// The first job of a kind, by name, with its options.
  ///
  /// - Parameters:
  ///   - type: the kind's options.
  ///   - missing: thrown when no file says what such a job does.
  /// - Returns: the job.
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
