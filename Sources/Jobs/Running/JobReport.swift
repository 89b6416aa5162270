package import Model

/// What one job of a command came to.
package struct JobReport: Sendable {
  package var run: Run
  package var summary: String
  /// What stopped it; nil when it came to its end.
  package var error: (any Error)?

  package var succeeded: Bool {
    switch run.outcome {
    case .ok, .partial, .fresh: true
    case .blocked, .failed, .interrupted: false
    }
  }
}
