import ArgumentParser
import Firestore
import HTTP
import Jobs
import Model
import Operations
import Reports
import Store
import Workspace

struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check an installation, and say what to do.",
    discussion: """
      Checks the files, the credentials, the clock, Firestore with its indexes, the database and \
      its disk, the schedule, and the hooks. Changes nothing. Costs at most one billed read per \
      job, none with --offline.

      Exit status: 0 success, also with warnings; 1 a line says FAIL.
      """,
    examples: ["firetally doctor", "firetally doctor --offline", "firetally doctor --json"])

  @OptionGroup var global: GlobalOptions

  @Flag(help: "Skip the checks that need the network.")
  var offline = false

  func run() async throws {
    let invocation = Invocation(global)
    var workspace = try Workspace.find(
      at: global.workspace, variables: invocation.environment)
    workspace.runsHooks = false
    let output = invocation.output
    let summary = try await examination(of: workspace, invocation) { finding in
      try output.print(finding.text(on: output), json: finding.members)
    }
    try output.print(summary.text, json: summary.members)
    guard summary.isWell else { throw StatusOnly(status: .failed) }
  }

  private func examination(
    of workspace: Workspace, _ invocation: Invocation, tell: (DoctorFinding) throws -> Void
  ) async throws -> DoctorSummary {
    var olderSchema: Int?
    let database = Result { try workspace.storeToRead { olderSchema = $0 } }
    let found = DoctorWorkspace(workspace, database: database, olderSchema: olderSchema)
    var jobs: JobContext?
    var http = HTTPClient()
    if case .success(let config) = found.config {
      let opened = OpenWorkspace(
        workspace: workspace, config: config, now: invocation.now, note: { _ in })
      let store: Store =
        if case .success(let store?) = database { store } else { try .inMemory() }
      let listed = if case .success(let jobs) = found.catalog { jobs } else { JobCatalog(jobs: []) }
      jobs = try invocation.context(opened, store: store, catalog: listed, claimsDatabase: false)
      http = invocation.serviceAccess.httpClient(opened.workspace, opened.config)
    }
    let machine = DoctorMachine.live(
      workspace, environment: invocation.environment,
      head: { [http] url in
        let timeouts = HTTPTimeouts(stall: .seconds(15), total: .seconds(15))
        return try await http.send(HTTPRequest(.head, url, timeouts: timeouts)).status
      }, sleep: invocation.clock.sleep)
    let context = DoctorContext(
      found, jobs: jobs, on: machine, clock: invocation.clock, isOffline: offline,
      hasOtherClock: global.now != nil)
    return DoctorSummary(
      findings: try await Doctor.examine(context, found: tell), isOffline: offline,
      billedReads: await jobs?.services.firestore.traffic().billedReadCount ?? 0,
      edition: await jobs?.services.firestore.edition() ?? .standard)
  }
}

/// The summary of all checks; see `docs/doctor.md#json`.
private struct DoctorSummary {
  let findings: [DoctorFinding]
  let isOffline: Bool
  let billedReads: Int
  let edition: FirestoreEdition

  private func count(_ verdict: DoctorFinding.Verdict) -> Int {
    findings.count { $0.verdict == verdict }
  }

  var isWell: Bool { count(.fail) == 0 }

  var members: JSONObject {
    [
      "message_type": "doctor", "isWell": isWell, "ok": count(.ok), "warnings": count(.warn),
      "failures": count(.fail), "billedReads": billedReads, "isOffline": isOffline,
    ]
  }

  var text: String {
    let parts = [
      "\(count(.ok)) ok", NumberWords.counted(count(.warn), "warning"),
      NumberWords.counted(count(.fail), "failure"),
      NumberWords.counted(billedReads, edition.billedNoun),
    ]
    return "\n\(parts.joined(separator: ", "))\(isOffline ? ", offline" : "")."
  }
}

extension DoctorFinding {
  private static let widestCheck = 13

  /// Returns one line: `warn  clock          This machine's clock …`.
  fileprivate func text(on output: Output) -> String {
    let word =
      switch verdict {
      case .ok: output.coloured("ok  ", .green)
      case .warn: output.coloured("warn", .yellow)
      case .fail: output.coloured("FAIL", .red)
      }
    let padding = String(repeating: " ", count: max(0, Self.widestCheck - check.count))
    let sentences = [message, advice].compactMap(\.self).joined(separator: " ")
    return "\(word)  \(check)\(padding)  \(VisibleText.line(sentences))"
  }

  fileprivate var members: JSONObject {
    [
      "message_type": "doctor_finding", "check": check, "subject": subject,
      "level": verdict.rawValue, "message": message, "advice": advice,
    ]
  }
}
