import Model

/// The days behind the tiles of the index, on the pages that the tiles lead to:
/// docs/reports/form.md#index.
enum TileDays {
  /// Adds the tables to the sections whose own tables lack the number of a tile.
  static func added(
    to reports: [Report], _ history: DayHistory, _ context: ReportContext
  ) -> [Report] {
    let days = IndexTiles.days(of: history)
    let calendar = ReportCalendar(timeZone: context.timeZone)
    let loads = history.days.suffix(IndexTiles.courseDays).filter { $0.onlineNow != nil }
    let tables = [
      (Report.Name.usage, UsageDays.id, people(days, calendar)),
      (.ratings, RatingStars.id, stars(days, calendar)),
      // The other tables of these two sections have the days of the period, whichever that is.
      (.users, UsersOnline.id, online(loads, calendar)), (.runs, "days", reads(days, calendar)),
    ]
    return reports.map { report in
      var report = report
      for (name, section, table) in tables where name == report.name {
        guard let place = report.sections.firstIndex(where: { $0.id == section }) else { continue }
        report.sections[place].blocks.append(.table(table))
      }
      return report
    }
  }

  private static func people(
    _ days: ArraySlice<DayFacts>, _ calendar: ReportCalendar
  ) -> Table {
    let numbers: [(id: String, title: String, path: KeyPath<DayFacts, Int>)] = [
      ("active", "Active", \.activeUsers), ("limit", "Hit the limit", \.blockedUsers),
      ("sub_taps", "Subscription taps", \.subscriptionTaps),
      ("new_subs", "New subscribers", \.newSubscribers),
    ]
    return table(
      "people-by-day", "People and subscriptions of the newest \(days.count) days", days,
      calendar,
      numbers.map { number in
        Column(number.id, number.title) {
          $0.coverage == .none ? .missing : .count($0[keyPath: number.path])
        }
      })
  }

  private static func stars(
    _ days: ArraySlice<DayFacts>, _ calendar: ReportCalendar
  ) -> Table {
    table(
      "ratings-by-day", "Ratings of the newest \(days.count) days", days, calendar,
      StarCounts.columns.map { column in
        column.reading { StarCounts($0.stars) }.missing {
          $0.coverage == .none && $0.stars.allSatisfy { $0 == 0 }
        }
      })
  }

  private static func reads(
    _ days: ArraySlice<DayFacts>, _ calendar: ReportCalendar
  ) -> Table {
    table(
      "newest-reads", "Billed reads of the newest \(days.count) days", days, calendar,
      [Column("reads", "Billed reads") { .count($0.reads) }])
  }

  private static func online(_ days: [DayFacts], _ calendar: ReportCalendar) -> Table {
    table(
      "newest-online", "Online at the last load of the newest days", days[...], calendar,
      [Column("online", "Online") { .optional($0.onlineNow) }])
  }

  /// Newest first.
  private static func table(
    _ id: String, _ title: String, _ days: ArraySlice<DayFacts>, _ calendar: ReportCalendar,
    _ columns: [Column<DayFacts>]
  ) -> Table {
    Table(
      id: id, title: title, of: days.reversed(),
      columns: [Column("day", "Day", .leading) { .day(calendar.day(of: $0.start)) }] + columns,
      emptyText: "None of these days is known.", isFolded: true)
  }
}
