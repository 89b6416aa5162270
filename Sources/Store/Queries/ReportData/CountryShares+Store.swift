import GRDB
package import Model

extension Readable {
  /// The newest taps of each span by country, at most `most` of each.
  ///
  /// Of a large ledger it looks at a part alone, so that its time does not grow with the ledger.
  package func countryShares(
    recent: Range<Instant>, earlier: Range<Instant>, most: Int
  ) throws -> CountryShares {
    CountryShares(
      recent: try countrySample(recent, most: most), earlier: try countrySample(earlier, most: most)
    )
  }

  private func countrySample(
    _ span: Range<Instant>, most: Int
  ) throws -> CountryShares.Sample {
    let rows = try Row.fetchCursor(
      reader.database,
      sql: """
        SELECT country, user_id, COUNT(*) FROM (
          SELECT country, user_id FROM events
          WHERE feature IS NOT NULL AND at >= ? AND at < ? AND kind = 'button_tapped'
          ORDER BY at DESC LIMIT ?)
        GROUP BY country, user_id
        """,
      arguments: [span.lowerBound.microseconds, span.upperBound.microseconds, most])
    var sample = CountryShares.Sample()
    while let row = try rows.next() {
      let country: String? = row[0]
      let user: String = row[1]
      let taps: Int = row[2]
      sample.taps += taps
      if !user.isEmpty { sample.people += 1 }
      guard let country, !country.isEmpty else { continue }
      sample.tapsByCountry[country, default: 0] += taps
      if !user.isEmpty { sample.peopleByCountry[country, default: 0] += 1 }
    }
    return sample
  }
}
