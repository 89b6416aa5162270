import GRDB
import Model
import Reports
import Store

@testable import Store

extension Store {
  /// The rows of a shipped section's query, each with its values between bars, of the columns that
  /// are named.
  ///
  /// NULL is `-`; of one user alone when an id is given.
  func rows(
    of name: String, _ columns: String, _ context: ReportContext, days facts: [DayFacts] = [],
    oneIn: Int? = nil, prices: [Tier: String] = [:], user: String? = nil, runs: RunsData = .none,
    settings: Settings = Settings([])
  ) throws -> [String] {
    guard let file = ShippedSections.all.first(where: { $0.name == name }) else {
      return ["there is no section \(name)"]
    }
    return try rows(
      selecting: "SELECT \(columns) FROM (\(file.sql))", context, days: facts, oneIn: oneIn,
      prices: prices, user: user, runs: runs, settings: settings)
  }

  /// The rows of a query on the relations, as `rows(of:)` has them.
  func rows(
    selecting sql: String, _ context: ReportContext, days facts: [DayFacts] = [],
    oneIn: Int? = nil, prices: [Tier: String] = [:], user: String? = nil, runs: RunsData = .none,
    settings: Settings = Settings([])
  ) throws -> [String] {
    try read { reader in
      try reader.withRelations {
        let pass = try reader.ledgerPass(
          context, days: facts, changes: [], of: user, oneIn: oneIn)
        var data = try reader.usageData(pass)
        data.history.days = facts
        let relations = ReportRelations(
          context, data, prices: prices, runs: runs, settings: settings)
        try reader.fill(relations, of: pass)
        return try Row.fetchAll(reader.database, sql: sql).map { row in
          row.databaseValues.map { String.fromDatabaseValue($0) ?? Self.text($0) }
            .joined(separator: "|")
        }
      }
    }
  }

  private static func text(_ value: DatabaseValue) -> String {
    value.isNull ? "-" : value.description
  }
}

extension RunsData {
  /// A workspace without jobs.
  static let none = RunsData(jobs: [], runs: [], lastRuns: [:], lastSuccesses: [:])
}
