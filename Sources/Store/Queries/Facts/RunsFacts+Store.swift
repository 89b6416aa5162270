package import Model

extension Readable {
  /// What the runs report needs: the store's part, and what the job files and the workspace say.
  package func runsFacts(
    _ frame: ReportFrame, jobs: [RunsFacts.Job], price: ReadPrice = .example
  ) throws -> RunsFacts {
    RunsFacts(
      jobs: jobs.sorted { $0.name < $1.name },
      runs: try runs(from: frame.previousStart, to: frame.end),
      lastRuns: try lastRuns(),
      lastSuccesses: try lastSuccesses(),
      price: price)
  }
}
