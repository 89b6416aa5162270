@testable package import Model
@testable package import Reports

/// Queries and results that are made by hand.
package enum SampleQueries {
  package static func query(
    _ columns: [QueryColumn], page: Report.Name = .usage,
    place: SectionQuery.Place = .init("own-numbers"), sql: String = "SELECT 1"
  ) -> SectionQuery {
    SectionQuery(
      name: "usage/sample", page: page, place: place, title: "Sample", columns: columns, sql: sql,
      file: "reports/sample.sql")
  }

  package static func context(
    _ report: ReportContext = SampleReports.context, parameters: [BoundParameter] = [],
    pseudonymizer: QueryPseudonymizer? = nil
  ) -> QueryContext {
    QueryContext(report, parameters: parameters, pseudonymizer: pseudonymizer)
  }

  package static var anonymous: ReportContext {
    var context = SampleReports.context
    context.isAnonymous = true
    return context
  }

  package static var pseudonymizer: QueryPseudonymizer {
    QueryPseudonymizer(user: { "user-\($0.count)" }) { $0.replacing("ann", with: "[id]") }
  }

  /// The reports of the sample with a query placed on them.
  package static func reports(
    _ outcomes: [(SectionQuery, SQLResult)], context: ReportContext = SampleReports.context,
    pseudonymizer: QueryPseudonymizer? = nil, broken: [QueryFault] = []
  ) -> [Report] {
    ReportSet.make(
      context: context, usage: SampleReports.usageOfAll, limits: SampleReports.limitsOfAll,
      ratings: SampleReports.ratings, users: SampleReports.usersOfAll, runs: SampleReports.runs,
      queries: QuerySections(
        outcomes.map { QueryOutcome($0.0, .success($0.1)) }, broken: broken,
        QueryContext(
          context, parameters: [BoundParameter("start", .integer(5))], pseudonymizer: pseudonymizer)
      ))
  }

  /// One row of columns that have the order of the values.
  package static func result(_ values: KeyValuePairs<String, SQLValue>) -> SQLResult {
    SQLResult(columns: values.map(\.key), rows: [values.map(\.value)])
  }
}

extension SQLValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByNilLiteral
{
  public init(stringLiteral text: String) { self = .text(text) }
  public init(integerLiteral number: Int64) { self = .integer(number) }
  public init(floatLiteral number: Double) { self = .real(number) }
  public init(nilLiteral: ()) { self = .null }
}
