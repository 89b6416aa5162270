import GRDB
package import Model

extension Readable {
  /// What the ratings report needs of the App Store's reviews; nil when none were ever read.
  ///
  /// One pass over the reviews, which are few: Apple shows 500 a country.
  package func reviewData(_ context: ReportContext, newest: Int) throws -> ReviewData? {
    guard let fetchedAt = try reviewsFetchedAt() else { return nil }
    return ReviewData(
      groups: try reviewGroups(context), newest: try reviews(limit: newest), fetchedAt: fetchedAt)
  }

  private func reviewGroups(_ context: ReportContext) throws -> [ReviewData.Group] {
    let before =
      context.comparison.main?.previous ?? context.previousStart..<context.previousStart
    let rows = try Row.fetchCursor(
      reader.database,
      sql: """
        SELECT country, version, stars, count(*), sum(updated_at >= ?1 AND updated_at < ?2),
          sum(updated_at >= ?3 AND updated_at < ?4)
        FROM app_store_reviews GROUP BY country, version, stars ORDER BY country, version
        """,
      arguments: [
        context.start.microseconds, context.end.microseconds, before.lowerBound.microseconds,
        before.upperBound.microseconds,
      ])
    let none = [0, 0, 0, 0, 0]
    var groups: [ReviewData.Group] = []
    while let row = try rows.next() {
      let (country, version) = (row.wholeText(0), row.wholeText(1))
      if groups.last?.country != country || groups.last?.version != version {
        groups.append(
          ReviewData.Group(
            country: country, version: version, counts: none, periodCounts: none,
            previousCounts: none))
      }
      let (group, stars): (Int, Int) = (groups.count - 1, row[2])
      groups[group].counts[stars - 1] += row[3]
      groups[group].periodCounts[stars - 1] += row[4]
      groups[group].previousCounts[stars - 1] += row[5]
    }
    return groups
  }
}
