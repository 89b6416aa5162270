import ReportsTesting
import Testing

@testable import Model
@testable import Reports

/// The results made by hand fit the shipped queries.
@Suite struct SampleResultsTests {
  private func tables(_ reports: [Report]) -> [String: Table] {
    let found = reports.flatMap(\.sections).flatMap(\.blocks).compactMap { block in
      switch block {
      case .table(let table): table
      case .chart(let chart): chart.table
      default: nil
      }
    }
    return Dictionary(
      found.compactMap { table in table.source.map { ($0.name, table) } },
      uniquingKeysWith: { $1 })
  }

  @Test func `each shipped query has rows in the sample, and none fails`() throws {
    let reports = SampleReports.reports()
    let tables = tables(reports)
    #expect(!SampleResults.shipped.isEmpty)
    for query in SampleResults.shipped where query.replaces == nil {
      let table = try #require(tables[query.name], "\(query.name)")
      // What jobs took is in the table of where they stand.
      let id = query.name == "runs/job-effort" ? "jobs" : query.id
      #expect(!table.rows.isEmpty && table.id == id, "\(query.name)")
    }
    let sentences = reports.flatMap(\.findings).map(\.sentence)
    #expect(!sentences.contains { $0.hasPrefix("A query failed.") })
  }

  @Test func `a query stands in the place of another as soon as it has a row`() throws {
    let row: [SQLValue] = ["com.example.lite", 3, 2.99, "$", 39.01, "$"]
    let reports = SampleReports.reports()
    #expect(tables(reports)["money/base"] != nil && tables(reports)["money/paying"] == nil)
    let sections = SampleResults.sections(with: ["money/paying": [row]])
    var money = try #require(reports.first { $0.name == .money })
    money.sections = []
    let placed = tables(sections.placed(in: [money]).reports)
    #expect(placed["money/base"] == nil && placed["money/paying"]?.rows.count == 1)
  }

  @Test func `a workspace without events has each table but those of people, and no row in it`()
    throws
  {
    let tables = tables(EmptyReports.reports)
    #expect(tables["usage/funnel"]?.rows.isEmpty == true)
    #expect(tables["usage/funnel-by-country"] == nil)
    #expect(tables["ratings/store-means"] == nil)
    for query in SampleResults.shipped where !query.isOfEverybody && !query.isOptional {
      let table = try #require(tables[query.name], "\(query.name)")
      #expect(table.rows.isEmpty && table.emptyText == query.empty, "\(query.name)")
    }
  }
}
