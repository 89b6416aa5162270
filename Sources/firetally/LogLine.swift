import Firestore
import Logging
import Model
import Reports

/// One line on standard error, for a person or for a program; see `docs/commands.md#log-lines`.
struct LogLine {
  let level: Logger.Level
  let message: String
  /// The job that it is about; nil when it is about none.
  var job: String?
  /// The row of `sync_runs` that it is about.
  var run: Int64?
  /// The exit status that an error stands for; nil for other lines.
  var code: Int32?
  /// What the line is, for a program: `log`, `error`, or what has members of its own.
  var type = "log"
  /// Members that only such lines have.
  var details: JSONObject = [:]

  init(_ level: Logger.Level, _ message: String, job: String? = nil, run: Int64? = nil) {
    self.level = level
    self.message = message
    self.job = job
    self.run = run
  }

  /// The line of an error.
  init(
    _ error: any Error, code: Int32, message: String, job: String? = nil, run: Int64? = nil
  ) {
    self.init(.error, message, job: job, run: run)
    self.code = code
    type = "error"
    if case CommandError.blocked(_, let blocked?) = error {
      self.job = blocked.job
      self.run = blocked.id
    }
    let indexes = (error as? FirestoreError)?.missingIndexes ?? []
    details = (error as? CommandError)?.members ?? [:]
    // What `firestore.indexes.json` has to hold for the query that failed.
    if !indexes.isEmpty {
      details = details.merging(["firestore_indexes": QueryIndex.file(of: indexes)])
    }
  }

  /// `2026-01-31T08:00:00Z warning: online-users: …`.
  func text(at time: Instant) -> String {
    "\(time.iso8601) \(level.rawValue): \(VisibleText.of(sentence))"
  }

  /// The message with the job's name in front.
  private var sentence: String { job.map { "\($0): \(message)" } ?? message }

  /// One JSON object; what the line is not about is null.
  func json(at time: Instant) -> String {
    let line: JSONObject = [
      "message_type": type, "time": time.iso8601, "level": level.rawValue, "message": sentence,
      "job": job, "run": run, "code": code,
    ]
    do {
      return try Output.line(details.merging(line))
    } catch {
      preconditionFailure("numbers, texts and instants are always JSON: \(error)")
    }
  }
}
