import Model

/// The complete days of a history, and which of them others may be compared with.
struct JudgedDays {
  let days: [DayFacts]
  let names: DayNames
  /// Whole days on which nothing is known to have gone wrong.
  private(set) var isUsual: [Bool]
  /// Saturdays and Sundays.
  let isWeekend: [Bool]

  /// Days that a count is compared with.
  static let compared = 28
  /// Days of a new ledger on which everybody seems new.
  static let settlingDays = 14

  init(_ days: [DayFacts], calendar: ReportCalendar) {
    self.days = days
    names = DayNames(days: days, calendar: calendar)
    isUsual = days.map(\.isUndisturbed)
    isWeekend = days.map { calendar.day(of: $0.start).weekday >= 6 }
  }

  mutating func exclude(_ unusual: some Sequence<Int>) {
    for day in unusual { isUsual[day] = false }
  }

  var last: Int? { days.indices.last }

  /// The first whole day; the number of days when there is none.
  var firstWhole: Int { days.firstIndex { $0.coverage == .whole } ?? days.count }

  /// Usual days of the `count` days before `day`, oldest first.
  func usual(before day: Int, count: Int = compared) -> [Int] {
    (max(0, day - count)..<day).filter { isUsual[$0] }
  }

  /// The same, of the same kind: weekends, or the other days.
  func alike(before day: Int, as other: Int? = nil) -> [Int] {
    usual(before: day).filter { isWeekend[$0] == isWeekend[other ?? day] }
  }

  /// The people who would come on a day as on those of its kind before another.
  func usualPeople(on day: Int, before other: Int) -> Double {
    alike(before: other, as: day).map { Double(days[$0].activeUsers) }.middleMean
  }

  /// The first of the days in a row, up to and with `day`, on which something is found.
  ///
  /// Skips unknown days, and up to `gap` days in a row without it. Looks at most `back` days back.
  func firstDay(
    until day: Int, across gap: Int = 0, back: Int = compared, _ isFound: (Int) -> Bool
  ) -> Int {
    var first = day
    var missed = 0
    for other in stride(from: day - 1, through: max(0, day - back), by: -1)
    where days[other].coverage != .none {
      let isThere = isFound(other)
      missed = isThere ? 0 : missed + 1
      guard missed <= gap else { break }
      if isThere { first = other }
    }
    return first
  }
}

/// A count of each complete day.
struct CountSeries {
  /// Its name in ids: `subscription-taps`.
  let name: String
  /// At the beginning of a sentence: `Subscription taps`.
  let title: String
  let unit: Evidence.Unit
  let place: (report: Report.Name, section: String)
  /// What it is about, so that one cause is reported once.
  let topic: Detection.Topic
  var counts: [Int]
  /// The people behind the counts; nil where only the counts are known.
  var people: [Int]?
  /// By what factor whole weeks vary more than their days show: who taps much on one day comes
  /// again on others.
  var weekFactor = 1.0
  /// Whether people do it, so that weeks of more or fewer people are compared by person.
  var isByPerson = false
  /// Whether it comes and goes within weeks, as a version does: then the last days alone are usual.
  var isShortLived = false
  /// The first day whose count says something.
  var firstDay = 0

  /// How much more the series varies than chance alone would: the mean of Pearson's terms around
  /// the mean of each kind of day; at least 1.
  ///
  /// The dispersion of a quasi-Poisson model: P. McCullagh and J. A. Nelder, Generalized linear
  /// models, 2nd edition (1989), section 6.2.
  func dispersion(_ days: JudgedDays, before day: Int) -> Double {
    var terms: [Double] = []
    for isWeekend in [true, false] {
      let values = days.usual(before: day).filter { days.isWeekend[$0] == isWeekend }
        .map { Double(counts[$0]) }
      guard values.count > 1 else { continue }
      let mean = max(values.reduce(0, +) / Double(values.count), 0.5)
      let scale = Double(values.count) / Double(values.count - 1)
      terms += values.map { ($0 - mean) * ($0 - mean) / mean * scale }
    }
    return terms.isEmpty ? 1 : max(1, terms.reduce(0, +) / Double(terms.count))
  }
}

extension CountSeries {
  /// A count that each day has.
  init(_ series: DaySeries, _ days: [DayFacts]) {
    self.init(
      name: series.name, title: series.title, unit: series.unit, place: series.place,
      topic: series.topic, counts: days.map { Int(series.sample(of: $0)?.value ?? 0) })
  }
}

extension [Double] {
  /// The mean of the middle half; 0 of none.
  ///
  /// Like the median it is not moved by one odd day, and for small counts it is a fraction.
  var middleMean: Double {
    guard !isEmpty else { return 0 }
    let quarter = count / 4
    let middle = sorted()[quarter..<(count - quarter)]
    return middle.reduce(0, +) / Double(middle.count)
  }

  var mean: Double { isEmpty ? 0 : reduce(0, +) / Double(count) }
}
