/// One thing that is wrong with `firetally.yml` or a job file.
package struct ConfigurationProblem: Hashable, Sendable {
  /// As the operator knows it: `jobs/report.yml`, relative to the workspace.
  package var file: String
  /// From 1.
  package var line: Int
  /// From 1, in Unicode scalars; nil when the whole line is meant.
  package var column: Int?
  /// `hooks.on_start.ping`; empty when the file as a whole is meant.
  package var keyPath: String
  package var message: String

  package init(file: String, line: Int, column: Int?, keyPath: String, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.keyPath = keyPath
    self.message = message
  }
}

extension ConfigurationProblem: CustomStringConvertible {
  /// `jobs/report.yml:4:7: top: must be ...`, the form that editors jump to.
  package var description: String {
    let place = [file, String(line)] + (column.map { [String($0)] } ?? [])
    let key = keyPath.isEmpty ? "" : "\(keyPath): "
    return "\(place.joined(separator: ":")): \(key)\(message)"
  }
}

/// Everything that is wrong with a set of files, so that one look mends it all.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// At least one; by file, line and column.
  package let problems: [ConfigurationProblem]

  package init(_ problems: [ConfigurationProblem]) {
    self.problems = problems.sorted {
      ($0.file, $0.line, $0.column ?? 0) < ($1.file, $1.line, $1.column ?? 0)
    }
  }

  package var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}
