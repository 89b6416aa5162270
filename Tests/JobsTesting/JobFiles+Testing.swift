package import Jobs
package import Workspace

extension JobFiles {
  /// The jobs, by name.
  ///
  /// - Throws: `ConfigurationError` with all that is wrong in any of the files.
  package static func jobs(in sources: [SourceFile]) throws(ConfigurationError) -> [Job] {
    let catalog = catalog(of: sources)
    if let error = catalog.error { throw error }
    return catalog.jobs
  }
}
