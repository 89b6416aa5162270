package import Firestore
package import Model
package import Store
package import Workspace

/// What the workspace knows of its database, and since when; see
/// `docs/editions.md#knowing-the-edition`.
package struct KnownDatabase: Codable, Hashable, Sendable {
  private static let metadataName = "database facts"

  /// `projects/P/databases/D`.
  package var name: String
  package var facts: DatabaseFacts
  package var knownAt: Instant
  /// Whether the database said so itself; otherwise an error told the edition, and nothing else.
  package var isOwnWord: Bool

  /// Nil for a workspace that has not asked yet, and for another database than the one named.
  package static func stored(
    in reader: some Readable, of name: String? = nil
  ) throws -> KnownDatabase? {
    let known = try reader.metadata(KnownDatabase.self, named: metadataName)
    return name == nil || known?.name == name ? known : nil
  }

  /// What stores it.
  package func effect() throws -> Effect {
    try .metadata(encoding: self, named: Self.metadataName)
  }
}

extension FirestorePort {
  /// What the database says of itself; nil, with a note of the reason, from a server that does not
  /// tell it.
  package func knownFacts(
    at now: Instant, note: @Sendable (String) -> Void
  ) async throws -> KnownDatabase? {
    do {
      return try await databaseFacts().map {
        KnownDatabase(name: root.databaseName, facts: $0, knownAt: now, isOwnWord: true)
      }
    } catch let error as FirestoreError where error.withholdsFacts {
      note("The edition of the database is unknown. \(error)")
      return nil
    }
  }
}

extension DatabaseFacts {
  /// `Enterprise edition in nam5, point-in-time recovery off, delete protection on, free quota`.
  package var words: String {
    func state(_ name: String, _ isOn: Bool?) -> String? {
      isOn.map { "\(name) \($0 ? "on" : "off")" }
    }
    let parts = [
      state("point-in-time recovery", pointInTimeRecovery),
      state("delete protection", deleteProtection), state("Firestore API", firestoreAccess),
      state("MongoDB API", mongodbAccess), state("realtime updates", realtimeUpdates),
      freeTier == true ? "free quota" : nil,
    ]
    let place = location.map { " in \($0)" } ?? ""
    return
      (["\(edition == .enterprise ? "Enterprise" : "Standard") edition\(place)"]
      + parts.compactMap(\.self))
      .joined(separator: ", ")
  }
}

extension WorkspaceConfig {
  /// The same with the prices of the database that the store knows.
  package func priced(in reader: some Readable) throws -> WorkspaceConfig {
    var config = self
    config.cost.edition = try KnownDatabase.stored(in: reader)?.facts.edition ?? .standard
    return config
  }
}

extension FirestorePort {
  /// The TTL policies; empty, with a note of the reason, from a server that does not tell them.
  package func knownPolicies(note: (String) -> Void) async throws -> [ExpiryPolicy] {
    do {
      return try await expiryPolicies()
    } catch let error as FirestoreError where error.withholdsFacts {
      note("TTL policies are unknown. \(error)")
      return []
    }
  }
}
