import Model
import Reports
import Store

extension ReportBuilder {
  /// Runs the queries of all sections on the relations of this snapshot; one that fails costs no
  /// other.
  func sections(
    _ files: SectionFiles, _ context: ReportContext, _ reader: Reader, by pseudonyms: Pseudonyms?
  ) throws -> QuerySections {
    let parameters = context.queryParameters
    let queries = files.queries.filter { !(isOfOneProfile && $0.isOfEverybody) }
    let outcomes = try queries.map { query in
      QueryOutcome(query, try result(of: query, parameters, reader))
    }
    let cover = pseudonyms.map { pseudonyms in
      QueryCover(user: pseudonyms.user) { try pseudonyms.message($0) }
    }
    return QuerySections(
      outcomes, broken: files.faults,
      QueryContext(
        context,
        parameters: parameters.sorted { $0.key < $1.key }.map { BoundParameter($0.key, $0.value) },
        cover: cover))
  }

  private func result(
    of query: SectionQuery, _ parameters: [String: SQLValue], _ reader: Reader
  ) throws -> Result<SQLResult, QueryFault> {
    do {
      // Checks hide where a fault of the query itself lies.
      if !query.checks.isEmpty { _ = try reader.columns(of: query.sql) }
      return .success(try reader.result(of: query.checkedSQL, parameters))
    } catch let problem as QueryProblem {
      var fault = query.fault("\(problem)")
      if let place = problem.place(in: query.sql) { fault.line += place.line - 1 }
      return .failure(fault)
    }
  }
}
