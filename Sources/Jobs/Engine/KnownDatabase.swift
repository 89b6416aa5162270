package import Firestore
package import Model
package import Store
package import Workspace

/// The stored facts about the workspace's database, with their time; see
/// `docs/editions.md#knowing-the-edition`.
package struct KnownDatabase: Codable, Hashable, Sendable {
  private static let markName: MarkName = "database facts"

  /// `projects/P/databases/D`.
  package var name: String
  package var facts: DatabaseFacts
  package var knownAt: Instant
  /// Whether the database reported the facts; otherwise only the edition is known, from an error.
  package var isOwnWord: Bool

  /// Returns the stored facts; nil before the first request, or when they are about a database with
  /// another name.
  package static func stored(
    in reader: some Readable, of name: String? = nil
  ) throws -> KnownDatabase? {
    let known = try reader.mark(KnownDatabase.self, named: markName)
    return name == nil || known?.name == name ? known : nil
  }

  /// Returns the effect that stores the facts.
  package func effect() throws -> StoreChange {
    try .mark(encoding: self, named: Self.markName)
  }
}

extension FirestorePort {
  /// Requests the database's facts; returns nil, and notes the reason, when the server withholds
  /// them.
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
  /// Returns the configuration with the edition of the stored database, or else of the last run;
  /// it determines the prices.
  package func priced(in reader: some Readable) throws -> WorkspaceConfig {
    var config = self
    config.cost.edition =
      try KnownDatabase.stored(in: reader)?.facts.edition ?? reader.lastEdition() ?? .standard
    return config
  }
}

extension FirestorePort {
  /// Requests the TTL policies; returns none, and notes the reason, when the server withholds them.
  package func knownPolicies(note: (String) -> Void) async throws -> [ExpiryPolicy] {
    do {
      return try await expiryPolicies()
    } catch let error as FirestoreError where error.withholdsFacts {
      note("TTL policies are unknown. \(error)")
      return []
    }
  }
}
