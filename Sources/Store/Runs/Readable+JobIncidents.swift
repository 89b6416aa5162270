import GRDB
package import Model

/// The ledger of incidents: docs/incidents.md.
extension Readable {
  /// The incidents that can still change or give a message: those that last, those that ended a
  /// short time ago, and of the last days those without a message about their end; oldest first.
  ///
  /// One that begins too far in the future counts as missing.
  package func openIncidents(at now: Instant) throws -> [JobIncident] {
    try incidents(
      """
      WHERE (ended_at IS NULL OR ended_at >= iif(told IS 'ended', ?1, ?2)) AND began_at <= ?3
      ORDER BY id
      """,
      [
        (now - IncidentRule.memory).microseconds, (now - IncidentRule.longestUntold).microseconds,
        now.latestCounted.microseconds,
      ])
  }

  /// The newest incidents first, those that last before all others.
  ///
  /// One that begins too far after `now` is left out.
  package func incidents(at now: Instant, onlyOpen: Bool, limit: Int) throws -> [JobIncident] {
    try incidents(
      """
      WHERE began_at <= ?1 AND (ended_at IS NULL OR NOT ?2)
      ORDER BY ended_at IS NOT NULL, began_at DESC, id DESC LIMIT ?3
      """, [now.latestCounted.microseconds, onlyOpen, limit])
  }

  /// The incidents that lasted at some time from `start` (inclusive) to `end` (exclusive), those
  /// that last first, then the newest.
  package func incidents(from start: Instant, to end: Instant) throws -> [JobIncident] {
    try incidents(
      """
      WHERE began_at < ?2 AND (ended_at IS NULL OR ended_at >= ?1)
      ORDER BY ended_at IS NOT NULL, began_at DESC, id DESC
      """, [start.microseconds, end.microseconds])
  }

  /// When the last time ended in which no job ran, or no run could be recorded; nil without any.
  package func endOfLastGap(at now: Instant) throws -> Instant? {
    try reader.instant(
      "SELECT max(ended_at) FROM incidents WHERE kind IN ('gap', 'disk', 'configuration') "
        + "AND ended_at <= ?",
      [now.latestCounted.microseconds])
  }

  /// When a scheduler last started a job; nil when none did.
  package func lastTick() throws -> Instant? {
    try mark(named: tickName).flatMap { Int64($0) }.map(Instant.init(microseconds:))
  }

  /// The times between starts that a wrong `firetally.yml` stopped, oldest first, which are still
  /// to be judged.
  ///
  /// - Throws: `DecodingError` for times of another form, as another version may have stored them.
  package func silences() throws -> [Silence] {
    try mark([Silence].self, named: silencesName) ?? []
  }

  /// What `removeFutureIncidents` removes: how many incidents, and whether a last start.
  package func futureIncidents(at now: Instant) throws -> (count: Int, withStart: Bool) {
    let count = try reader.count(
      "SELECT count(*) FROM incidents WHERE \(isOfFuture)", [now.latestCounted.microseconds])
    return (count, try lastTick().map { !$0.counts(at: now) } ?? false)
  }

  /// Whether an incident begins or ends after an instant, in SQL.
  fileprivate var isOfFuture: String { "(began_at > ?1 OR ended_at > ?1)" }

  /// How often a job has failed since it last succeeded; 0 when its last run did.
  package func failuresInARow(ofJob name: String) throws -> Int {
    try reader.count(
      """
      SELECT count(*) FROM sync_runs
      WHERE job = ?1 AND (outcome = 'failed' OR (outcome = 'blocked' AND refused_by IS NULL))
      AND id > coalesce(
        (SELECT max(id) FROM sync_runs WHERE job = ?1 AND \(Self.succeeded)), 0)
      """, [name])
  }

  private func incidents(
    _ clause: String, _ arguments: StatementArguments
  ) throws -> [JobIncident] {
    try reader.rows("SELECT * FROM incidents \(clause)", arguments) { try JobIncident($0) }
  }
}

extension Writer {
  /// Stores a new or changed incident; returns it with its id.
  package func save(_ incident: JobIncident) throws -> JobIncident {
    var incident = incident
    incident.id = try insert(into: "incidents", try Self.values(of: incident), orReplace: true)
    return incident
  }

  package func setLastTick(_ now: Instant) throws {
    try setMark(String(now.microseconds), named: tickName)
  }

  /// Stores the times that are still to be judged; of more than `mostSilences` the last ones.
  package func setSilences(_ silences: [Silence]) throws {
    guard !silences.isEmpty else { return try setMark(nil, named: silencesName) }
    try setMark(encoding: Array(silences.suffix(mostSilences)), named: silencesName)
  }

  /// Removes the incidents that begin or end too far after `now` to count, such as a gap up to a
  /// start by a wrong clock, and such a last start.
  func removeFutureIncidents(at now: Instant) throws {
    try run("DELETE FROM incidents WHERE \(isOfFuture)", [now.latestCounted.microseconds])
    if try futureIncidents(at: now).withStart { try setMark(nil, named: tickName) }
  }

  private static func values(of incident: JobIncident) throws -> [ColumnValue] {
    [
      ("id", incident.id),
      ("kind", incident.kind.rawValue),
      ("causes", try StoredJSON.text(of: incident.causes)),
      ("sentence", incident.sentence),
      ("jobs", try StoredJSON.text(of: incident.jobs)),
      ("waiting", try StoredJSON.text(of: incident.waiting)),
      ("began_at", incident.beganAt.microseconds),
      ("seen_at", incident.seenAt.microseconds),
      ("ended_at", incident.endedAt?.microseconds),
      ("runs", incident.runs),
      ("returns", incident.returns),
      ("is_changed", incident.isChanged),
      ("told", incident.lastMessage?.moment.rawValue),
      ("told_at", incident.lastMessage?.at.microseconds),
      ("tried", incident.tried?.rawValue),
      ("claimed_at", incident.claimedAt?.microseconds),
    ]
  }
}

/// The name of the mark with the time when a scheduler last started a job, in microseconds.
private let tickName: MarkName = "last-scheduled-start"
private let silencesName: MarkName = "silences"
/// A week of them, where jobs are started every two hours.
private let mostSilences = 84

/// A time of an hour or more between two starts that a wrong `firetally.yml` stopped.
package struct Silence: Hashable, Codable, Sendable {
  package let start: Instant
  package let end: Instant

  package init(start: Instant, end: Instant) {
    self.start = start
    self.end = end
  }
}

extension JobIncident {
  fileprivate init(_ row: Row) throws {
    let causes: [String] = try row.json("causes", of: "incidents")
    self.init(
      try row.choice("kind", of: "incidents"), causes: causes, sentence: row["sentence"],
      jobs: try row.json("jobs", of: "incidents"), beganAt: row.requiredInstant("began_at"),
      runs: row["runs"])
    id = row["id"]
    waiting = try row.json("waiting", of: "incidents")
    seenAt = row.requiredInstant("seen_at")
    endedAt = row.instant("ended_at")
    returns = row["returns"]
    isChanged = row["is_changed"]
    if let moment: Moment = try row.choiceIfAny("told", of: "incidents") {
      lastMessage = Message(moment, at: row.requiredInstant("told_at"))
    }
    tried = try row.choiceIfAny("tried", of: "incidents")
    claimedAt = row.instant("claimed_at")
  }
}
