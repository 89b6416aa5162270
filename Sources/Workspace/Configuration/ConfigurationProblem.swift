package import Yams

/// A problem in `firetally.yml` or a job file.
package struct ConfigurationProblem: Hashable, Sendable {
  /// Relative to the workspace, as the operator knows it: `jobs/report.yml`.
  package var file: String
  /// From 1.
  package var line = 1
  /// From 1, in Unicode scalars; nil for the whole line.
  package var column: Int?
  /// `hooks.on_start.ping`; empty for the file as a whole.
  package var keyPath = ""
  package var message: String
  /// Whether the only problem is a variable that the environment lacks.
  package var isUnsetVariable = false

  package init(
    file: String, line: Int = 1, column: Int? = nil, keyPath: String = "", message: String,
    isUnsetVariable: Bool = false
  ) {
    self.file = file
    self.line = line
    self.column = column
    self.keyPath = keyPath
    self.message = message
    self.isUnsetVariable = isUnsetVariable
  }
}

extension ConfigurationProblem: CustomStringConvertible {
  /// The problem in the form that editors jump to: `jobs/report.yml:4:7: top: must be ...`.
  package var description: String {
    let place = [file, String(line)] + (column.map { [String($0)] } ?? [])
    let key = keyPath.isEmpty ? "" : "\(keyPath): "
    return "\(place.joined(separator: ":")): \(key)\(message)"
  }
}

/// All problems of a set of files, so that they can be fixed together.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// At least one problem, sorted by file, line and column.
  package let problems: [ConfigurationProblem]

  package init(_ problems: [ConfigurationProblem]) {
    self.problems = problems.sorted {
      ($0.file, $0.line, $0.column ?? 0) < ($1.file, $1.line, $1.column ?? 0)
    }
  }

  /// Whether the files are correct, and only variables are missing in the environment.
  package var isUnsetVariables: Bool { problems.allSatisfy(\.isUnsetVariable) }

  package var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}

/// The problems of one file, collected while it is read.
package final class ProblemLog {
  package let file: String
  package private(set) var problems: [ConfigurationProblem] = []
  /// The original texts by line and column.
  private var written: [[Int]: String] = [:]

  package init(file: String) {
    self.file = file
  }

  package func add(
    _ message: String, at mark: Mark?, keyPath: String, isUnsetVariable: Bool = false
  ) {
    problems.append(
      ConfigurationProblem(
        file: file, line: mark?.line ?? 1, column: mark?.column, keyPath: keyPath,
        message: ShownText.withoutLogins(message), isUnsetVariable: isUnsetVariable))
  }

  /// Records the original text of a value before its variables were replaced.
  package func remember(written text: String, at mark: Mark?) {
    guard let mark else { return }
    written[[mark.line, mark.column]] = text
  }

  /// Returns the original text; nil for a value without variables.
  package func written(at mark: Mark?) -> String? {
    mark.flatMap { written[[$0.line, $0.column]] }
  }

  package func throwIfAny() throws(ConfigurationError) {
    guard problems.isEmpty else { throw ConfigurationError(problems) }
  }
}

/// A configuration file's bytes, with its name for messages.
package struct SourceFile: Hashable, Sendable {
  /// Relative to the workspace: `jobs/report.yml`.
  package var path: String
  package var bytes: [UInt8]

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  package init(path: String, text: String) {
    self.init(path: path, bytes: Array(text.utf8))
  }
}
