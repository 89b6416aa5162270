import Model
import Reports
import Store

extension ReportBuilder {
  /// Runs the queries of all sections on the relations of this snapshot.
  func sections(
    _ files: SectionFiles, _ context: ReportContext, _ reader: Reader, _ cover: AnonymousData?
  ) throws -> QuerySections {
    let parameters = context.parameters
    return QuerySections(
      try files.outcomes(ofOneProfile: isOfOneProfile) { try reader.result(of: $0, parameters) },
      broken: files.faults,
      QueryContext(
        context,
        parameters: ReportContext.parameterNames.compactMap { name in
          parameters[name].map { BoundParameter(name, $0) }
        }, cover: cover?.queryCover))
  }
}
