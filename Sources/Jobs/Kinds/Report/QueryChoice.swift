import Reports
import Store

/// The queries of sections that an output needs.
enum QueryChoice {
  case all
  /// Queries that may become findings: the reader's own, and those with checks.
  case findings
  /// Those of `findings`, and queries that the index shows.
  case index
  /// Those of `index`, and queries of these pages.
  case pages([Report.Name])

  /// Queries with tables that the index shows in part.
  private static let ofIndex = ["usage/funnel", "ratings/funnel"]

  func takes(_ query: SectionQuery) -> Bool {
    let isFinding = query.isOwn || !query.checks.isEmpty
    let isOfIndex =
      query.tile != nil || Self.ofIndex.contains(query.name)
      || query.sql.contains(SectionQuery.indexSaysColumn)
    return switch self {
    case .all: true
    case .findings: isFinding
    case .index: isFinding || isOfIndex
    case .pages(let pages): isFinding || isOfIndex || pages.contains(query.page)
    }
  }

  /// Returns the relations that the queries read, and those for the program's own figures and
  /// findings.
  static func needs(of queries: [SectionQuery]) -> RelationNeeds {
    RelationNeeds(ofPages: queries.map(\.checkedSQL) + ["newest_day filter_use"])
  }

  /// Whether the output shows what other limits would have done, which takes a replay.
  var showsWhatIf: Bool {
    switch self {
    case .all: true
    case .findings, .index: false
    case .pages(let pages): pages.contains(.limits)
    }
  }
}
