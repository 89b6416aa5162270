package import Model

/// One report as a value: what all four formats write, in the order in which it is read.
package struct Report: Sendable {
  /// A report's kebab-case name: its file name, its place in links, `report NAME` on the command line.
  package enum Name: String, CaseIterable, Codable, Sendable {
    case index, usage, limits, ratings, users, runs
    /// The list of past reports, in a folder of its own.
    case history

    /// The index and the five reports, in the order of reading.
    package static let pages: [Name] = [.index, .usage, .limits, .ratings, .users, .runs]
  }

  /// The newest thing the report knows of, and what that thing is.
  package struct DataTime: Hashable, Sendable {
    /// For example "Newest event".
    package var label: String
    /// Nil when there is no data yet.
    package var at: Instant?

    package init(label: String, at: Instant?) {
      self.label = label
      self.at = at
    }
  }

  package var name: Name
  package var title: String
  package var frame: ReportFrame
  package var dataTime: DataTime
  /// One or two sentences: what the report says this time.
  package var summary: String
  /// The figures that stand first on the page; the index repeats some of them.
  package var headline: [Figure]
  /// What needs a person, worst first; the index collects them.
  package var findings: [Finding]
  package var sections: [Section]

  package init(
    name: Name, title: String, frame: ReportFrame, dataTime: DataTime, summary: String,
    headline: [Figure] = [], findings: [Finding] = [], sections: [Section]
  ) {
    self.name = name
    self.title = title
    self.frame = frame
    self.dataTime = dataTime
    self.summary = summary
    self.headline = headline
    self.findings = findings
    self.sections = sections
  }
}
