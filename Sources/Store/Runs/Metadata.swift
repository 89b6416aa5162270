package import Model

private let schemaWriterName = "schema written by"

/// Which program made the schema what it is.
extension Readable {
  /// The version of the program that brought the database to its schema; nil in old databases.
  func schemaWriter() throws -> String? { try metadata(named: schemaWriterName) }
}

extension Writer {
  /// Stores that this program brought the database to its schema.
  func setSchemaWriter() throws {
    try setMetadata(ProgramVersion.current, named: schemaWriterName)
  }
}

/// Data that came from the project's Firestore; see `docs/jobs.md#whose-data`.
extension Readable {
  /// Whether anything fetched is stored: a user, an account, a setting, or a row of a collection's
  /// table.
  package func holdsFetchedData() throws -> Bool {
    try (["OnlineUsers", "settings", "auth_users"] + mirroredTables()).contains { table in
      try reader.count("SELECT EXISTS (SELECT 1 FROM \(table.quoted))") > 0
    }
  }
}

extension Writer {
  /// Deletes what loads remember besides rows, so that one project's loads do not affect another's.
  ///
  /// Call it while no fetched row is stored. Filters, tiers, limits and the outbox stay.
  package func forgetLoads() throws {
    for table in ["sync_cursors", "tombstones", "skipped_documents", "swept_documents"] {
      try run("DELETE FROM \(table)")
    }
    try clearStagedRows(of: .onlineUsers)
    try run(
      """
      DELETE FROM marks WHERE name = 'remote-config etag' OR name GLOB 'unexplained in *'
        OR name GLOB 'gather of *'
      """)
    try recordWhetherEmpty()
    try forgetRefreshTimes()
  }
}

/// The name of the metadata with the acknowledgements, as a JSON list.
private let listName = "acknowledged-findings"

/// Findings that a person has acknowledged: docs/findings.md#acknowledge.
extension Readable {
  /// All of them, by id, also those whose day has come.
  package func acknowledgements() throws -> [Acknowledgement] {
    try metadata([Acknowledgement].self, named: listName) ?? []
  }
}

extension Writer {
  /// Acknowledges a finding; an earlier acknowledgement of it is replaced.
  package func acknowledge(_ acknowledgement: Acknowledgement) throws {
    try replaceAcknowledgements {
      $0.filter { $0.id != acknowledgement.id } + [acknowledgement]
    }
  }

  /// Takes the acknowledgement of a finding back; returns whether there was one.
  package func takeBackAcknowledgement(of id: String) throws -> Bool {
    guard try acknowledgements().contains(where: { $0.id == id }) else { return false }
    try replaceAcknowledgements { $0.filter { $0.id != id } }
    return true
  }

  /// Forgets those of findings that are over, and those whose day has come.
  ///
  /// `open` has the ids of all findings that are found now, acknowledged or not; the day is such as
  /// `2026-11-30`.
  package func endAcknowledgements(open: Set<String>, on day: String) throws {
    try replaceAcknowledgements { all in
      all.filter { one in one.until.map { day < $0 } ?? open.contains(one.id) }
    }
  }

  private func replaceAcknowledgements(
    _ change: ([Acknowledgement]) -> [Acknowledgement]
  ) throws {
    let before = try acknowledgements()
    let after = change(before).sorted { $0.id < $1.id }
    guard after != before else { return }
    guard !after.isEmpty else { return try setMetadata(nil, named: listName) }
    try setMetadata(encoding: after, named: listName)
  }
}
