import Reports
import Store

/// Which queries of the sections are run for what is shown.
enum QueryChoice {
  case all
  /// Those that may become findings: a reader's own, and those with checks.
  case findings
  /// These, and what the index takes from queries.
  case index
  /// These, and those of pages.
  case pages([Report.Name])

  /// Queries whose tables the index shows a part of.
  private static let ofIndex = ["usage/funnel", "ratings/funnel"]

  func takes(_ query: SectionQuery) -> Bool {
    let isFinding = query.isOwn || !query.checks.isEmpty
    let isOfIndex =
      query.tile != nil || Self.ofIndex.contains(query.name)
      || query.sql.contains(SectionQuery.saidColumn)
    return switch self {
    case .all: true
    case .findings: isFinding
    case .index: isFinding || isOfIndex
    case .pages(let pages): isFinding || isOfIndex || pages.contains(query.page)
    }
  }

  /// What the queries read, and the program itself for figures and findings.
  func needs(of queries: [SectionQuery]) -> RelationNeeds {
    if case .all = self { return .all }
    return RelationNeeds(of: queries.map(\.checkedSQL) + ["newest_day filter_use"])
  }
}
