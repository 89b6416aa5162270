import Yams

/// What is found wrong with one file while it is read.
final class ProblemLog {
  let file: String
  private(set) var problems: [ConfigurationProblem] = []

  init(file: String) {
    self.file = file
  }

  func add(_ message: String, at mark: Mark?, keyPath: String) {
    problems.append(
      ConfigurationProblem(
        file: file, line: mark?.line ?? 1, column: mark?.column, keyPath: keyPath,
        message: message))
  }

  /// - Throws: `ConfigurationError` with all problems, when there are any.
  func throwIfAny() throws(ConfigurationError) {
    guard problems.isEmpty else { throw ConfigurationError(problems) }
  }
}
