package import Workspace

extension Workspace {
  /// Reads every job file.
  ///
  /// Hidden files, and names that do not end in `.yml` or `.yaml`, are ignored. An unreadable file
  /// counts as a wrong one.
  ///
  /// - Throws: `WorkspaceError.file` when the folder cannot be listed.
  package func jobs() throws(WorkspaceError) -> JobCatalog {
    var sources: [SourceFile] = []
    var unreadable: [BrokenJob] = []
    for name in try jobFileNames() {
      do {
        sources.append(try source("jobs/\(name)"))
      } catch {
        let problem = ConfigurationProblem(file: "jobs/\(name)", message: error.description)
        unreadable.append(
          BrokenJob(name: JobFiles.jobName(of: name), error: ConfigurationError([problem])))
      }
    }
    return JobFiles.catalog(of: sources, unreadable: unreadable, variables: expansion)
  }

  /// The path of a job's file, relative to the workspace.
  ///
  /// - Throws: `WorkspaceError.file` when the folder cannot be listed, or has no such file.
  package func jobPath(of job: String) throws(WorkspaceError) -> String {
    let name = try jobFileNames().first { JobFiles.jobName(of: $0) == job }
    return "jobs/\(name ?? "\(job).yml")"
  }

  /// Returns the problems of the files that come only from unset variables in hooks.
  ///
  /// - Throws: `WorkspaceError` for files that cannot be read or have other problems.
  package func unsetHookVariables() throws(WorkspaceError) -> [ConfigurationProblem] {
    var strict = self
    strict.runsHooks = true
    var problems: [ConfigurationProblem] = []
    do {
      _ = try strict.config()
    } catch WorkspaceError.configuration(let error) {
      problems += error.problems
    }
    problems += try strict.jobs().broken.flatMap(\.error.problems)
    return problems.filter(\.isUnsetVariable)
  }
}
