import Foundation
import Jobs
import Model
import Reports

/// Prints how the jobs of a command end, and ends the program accordingly.
struct RunPrinter: Sendable {
  private let output: Output
  private let log: LineLog

  init(_ invocation: Invocation) {
    output = invocation.output
    log = invocation.log
  }

  /// One job that is over: a line for a person, a JSON object for a program.
  func show(_ report: JobReport) {
    if output.isJSON {
      // A run always encodes: it holds numbers, texts and instants.
      try? output.show(json: Line(report))
    } else {
      output.remark(text(report))
    }
    if report.run.outcome != .ok, let error = report.error {
      complain(error, of: report.run.job)
    }
    for warning in report.run.warnings {
      if report.run.outcome == .partial || output.isTerminal {
        log.warn("\(report.run.job): \(warning)")
      } else {
        log.note("\(report.run.job): \(warning)")
      }
    }
  }

  /// Throws what the program ends with, unless all jobs did well.
  func end(_ reports: [JobReport]) throws {
    // A job that is blocked by another has no error of its own.
    let failed = reports.first {
      !$0.succeeded && ($0.run.outcome != .blocked || $0.error != nil)
    }
    if let error = failed?.error { throw StatusOnly(status: ExitStatus(of: error)) }
    if failed != nil { throw StatusOnly(status: .failed) }
    guard !reports.contains(where: { $0.run.outcome == .partial }) else {
      throw StatusOnly(status: .partial)
    }
  }

  private func complain(_ error: any Error, of job: String) {
    let text = "\(job): \(error)"
    guard output.isJSON else { return output.complain("firetally: \(VisibleText.of(text))") }
    output.complain(
      Complaint(error, code: ExitStatus(of: error).rawValue, message: text).line)
  }

  private func text(_ report: JobReport) -> String {
    let name = padded(report.run.job, to: 18)
    let outcome = padded(report.run.outcome.rawValue, to: 12)
    return "\(name) \(coloured(outcome, report.run.outcome)) \(report.summary)\(cost(report.run))"
  }

  /// With spaces up to the width; a longer text stays whole.
  private func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.utf8.count))
  }

  /// What it cost, as a sentence of its own; empty for a job that reads nothing.
  private func cost(_ run: Run) -> String {
    guard run.counts.billedReads > 0, let cost = run.estimatedCost else { return "" }
    let reads = NumberWords.counted(run.counts.billedReads, "billed read")
    return " \(reads), about \(NumberWords.money(cost))."
  }

  private func coloured(_ text: String, _ outcome: Run.Outcome) -> String {
    guard output.hasColour else { return text }
    let colour =
      switch outcome {
      case .ok, .fresh: 32
      case .partial, .blocked: 33
      case .failed, .interrupted: 31
      }
    return "\u{1B}[\(colour)m\(text)\u{1B}[0m"
  }

  private struct Line: Encodable {
    let message_type = "run"
    let run: Run
    let summary: String

    init(_ report: JobReport) {
      run = report.run
      summary = report.summary
    }
  }
}
