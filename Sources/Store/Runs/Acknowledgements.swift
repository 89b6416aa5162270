package import Model

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
  /// - Parameters:
  ///   - open: the ids of all findings that are found now, acknowledged or not.
  ///   - day: today, as `2026-11-30`.
  /// - Throws: `DatabaseError`.
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
