import Model

/// Finds countries that were absent and are a part of the app now: docs/findings.md#new-regions.
struct RegionFindings {
  /// Taps that both samples need.
  static let fewestTaps = 200
  /// People that the country needs.
  static let fewestPeople = 20
  /// The least share of people or taps now, in percent, and the most before.
  static let leastShare = 5
  static let mostBefore = 1

  let shares: CountryShares

  func findings() -> [Finding] {
    guard shares.recent.taps >= Self.fewestTaps, shares.earlier.taps >= Self.fewestTaps else {
      return []
    }
    let names = Set(shares.recent.tapsByCountry.keys).sorted()
    return names.filter(isNew).map(finding)
  }

  private func isNew(_ country: String) -> Bool {
    let people = shares.recent.peopleByCountry[country] ?? 0
    guard people >= Self.fewestPeople else { return false }
    let taps = shares.recent.tapsByCountry[country] ?? 0
    let isThere =
      people * 100 >= Self.leastShare * shares.recent.people
      || taps * 100 >= Self.leastShare * shares.recent.taps
    let tapsBefore = shares.earlier.tapsByCountry[country] ?? 0
    let peopleBefore = shares.earlier.peopleByCountry[country] ?? 0
    return isThere && tapsBefore * 100 <= Self.mostBefore * shares.earlier.taps
      && peopleBefore * 100 <= Self.mostBefore * shares.earlier.people
  }

  private func finding(_ country: String) -> Finding {
    let now = Ratio(shares.recent.peopleByCountry[country] ?? 0, of: shares.recent.people)
    let then = Ratio(shares.earlier.peopleByCountry[country] ?? 0, of: shares.earlier.people)
    var finding = Finding(
      .notice,
      "\(country) is new: \(NumberWords.percent(now.percent)) of the people of the last 7 days, "
        + "\(NumberWords.percent(then.percent)) of those of the 28 days before.",
      report: .users, section: "places", subject: "region \(country)")
    finding.evidence = [
      Evidence("People in \(country)", now.part, .people),
      Evidence("People in all", now.whole, .people),
      Evidence(
        "Share of taps in \(country)",
        Ratio(shares.recent.tapsByCountry[country] ?? 0, of: shares.recent.taps).share * 100,
        .percent),
    ]
    finding.advice = "See whether the language, the price and the servers suit \(country)."
    finding.weight = Double(now.part)
    return finding
  }
}
