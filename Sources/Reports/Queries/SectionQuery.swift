package import Model

/// A part of a page as one file: a query, and what its columns mean: docs/figures.md.
package struct SectionQuery: Hashable, Sendable {
  /// Where on its page it stands: among the blocks of a section.
  package struct Place: Hashable, Sendable {
    package var section: String
    /// From 1; the largest number for the last.
    package var position: Int

    package init(_ section: String, _ position: Int? = nil) {
      self.section = section
      self.position = position ?? .max
    }
  }

  /// What rows are counted from.
  package enum Basis: String, CaseIterable, Sendable {
    /// Events, of which days may be unknown: then nothing is compared, and no row may mean unknown.
    case events
    /// Anything else: its changes are those of the numbers.
    case records
  }

  /// For example `usage/by-feature`; a reader's own has the name of its file.
  package var name: String
  /// The id of its table, in kebab-case.
  package var id: String
  package var page: Report.Name
  package var place: Place
  package var title: String
  /// What a section that begins with it is called and says; nil for the title, and for nothing.
  package var sectionTitle: String?
  package var lead: String?
  /// The section that a new one follows; nil for the last.
  package var after: String?
  /// In the order of the file; not empty.
  package var columns: [QueryColumn]
  package var definitions: [Definition] = []
  /// What stands in the place of a table without rows.
  package var empty = "Nothing to show."
  package var basis = Basis.events
  /// Rows that HTML and text show; nil for all.
  package var shown: Int?
  package var isFolded = false
  /// Whether a report of one profile leaves it out, since it tells of everybody.
  package var isOfEverybody = false
  /// Whether it makes no section of its own while it has no row.
  package var isOptional = false
  package var checks: [RowCheck] = []
  /// The column that becomes a tile of the index; nil for none.
  package var tile: String?
  /// How the table is drawn; nil for a table alone.
  package var chart: QueryChart?
  /// One statement, without the header.
  package var sql: String
  /// The file, as messages name it, and the line of it on which the statement begins, from 1.
  package var file: String
  package var line = 1
  /// The lines of the header's keys, from 1.
  package var keyLines: [String: Int] = [:]
  /// Whether it is a reader's, and not one that the program brings.
  package var isOwn = false

  package init(
    name: String, page: Report.Name, place: Place, title: String, columns: [QueryColumn],
    sql: String, file: String
  ) {
    self.name = name
    id = name.replacing("/", with: "-")
    self.page = page
    self.place = place
    self.title = title
    self.columns = columns
    self.sql = sql
    self.file = file
  }

  /// Names of the result's columns that mean the same in every query.
  package static let isTotalColumn = "is_total"
  package static let isGapColumn = "is_gap"
  package static let totalCountColumn = "total_count"
  package static let saidColumn = "index_says"
}

extension SectionQuery {
  /// The name of the column of a result that says of each row whether a check is true.
  static func checkColumn(_ index: Int) -> String { "check \(index + 1)" }

  /// The statement to run: the query, with a column for each check after its own.
  package var checkedSQL: String {
    guard !checks.isEmpty else { return sql }
    return "\(Self.start)\(checkParts.joined()) FROM (\n\(statement)\n)"
  }

  private static let start = "SELECT *"

  /// What each check adds to the statement to run.
  private var checkParts: [String] {
    checks.enumerated().map { index, check in
      ", (\(check.when)\n) AS \"\(Self.checkColumn(index))\""
    }
  }

  /// The check in whose part of `checkedSQL` a byte lies, from 0; nil for another place.
  func check(at byte: Int) -> Int? {
    var end = Self.start.utf8.count
    return checkParts.firstIndex { part in
      end += part.utf8.count
      return byte < end
    }
  }

  /// The query without what follows its last word.
  var statement: String { QueryText(sql).body }
}

/// A column of a table, and how it is read from the columns of a result.
package struct QueryColumn: Hashable, Sendable {
  /// Snake case: what the result's columns begin with.
  package var id: String
  package var title: String
  package var unit: QueryUnit
  package var drawsBars = false
  /// Nil where the unit decides.
  package var isLeading: Bool?
  /// Whether the text report wraps long cells.
  package var wraps = false
  /// Whether a table in which no row has a value of it leaves it out.
  package var isOptional = false

  package init(_ id: String, _ title: String, _ unit: QueryUnit) {
    self.id = id
    self.title = title
    self.unit = unit
  }

  var head: Table.ColumnHead {
    Table.ColumnHead(
      id: id, title: title, alignment: isLeading ?? unit.isLeading ? .leading : .trailing,
      drawsBars: drawsBars,
      wraps: wraps)
  }

  /// The columns of a result that it reads, in the order of its unit's parts.
  package var parts: [String] { unit.endings.map { id + $0 } }
}

/// When a row needs a person, and what to say then.
package struct RowCheck: Hashable, Sendable {
  /// An expression of SQL over the columns of the result.
  package var when: String
  package var level: Level
  /// A sentence, in which `{column}` stands for the words of the row's cell.
  package var say: String
  /// The line of the file on which its expression stands, from 1.
  package var line = 1

  package init(when: String, level: Level, say: String) {
    self.when = when
    self.level = level
    self.say = say
  }

  /// The columns that the sentence names, in order.
  package var namedColumns: [String] {
    say.matches(of: /\{([^{}]*)\}/).map { String($0.output.1) }
  }
}

/// How the rows of a query are drawn.
package struct QueryChart: Hashable, Sendable {
  package enum Form: String, CaseIterable, Sendable {
    case columns, line, bars

    /// The columns that it draws at most.
    package var mostSeries: Int { self == .columns ? 4 : 1 }
  }

  package var form: Form
  package var series: [Chart.Series]
  /// The unit of the axis, and that of counts by day when they are drawn by week.
  package var unit: String
  package var weekUnit: String?
  /// The column that names the rows.
  package var labels: String
  /// The column of what the period before had, for columns by day; nil for none.
  package var previous: String?
  /// The ends of a line's axis; the upper one is that of the numbers when nil.
  package var lower = 0.0
  package var upper: Double?
  /// What people read who do not see it; nil for a sentence about the largest number.
  package var alternative: String?
  /// Whether the table is shown below the picture; it is folded away otherwise.
  package var showsTable = false

  /// Rows that a picture has at most.
  static let mostRows = 400

  package init(form: Form, series: [Chart.Series], unit: String, labels: String) {
    self.form = form
    self.series = series
    self.unit = unit
    self.labels = labels
  }
}

/// How a number came about: what a page says under "How is this counted?", and JSON beside a table.
package struct QuerySource: Hashable, Sendable {
  /// What `firetally report --sql` calls the query.
  package var name: String
  /// Nil for a reader's own query in an anonymous report: it may name people.
  package var sql: String?
  package var parameters: [BoundParameter]
  package var definitions: [Definition]
}

/// The sections that are files of the folder `Sections/Queries`, compiled into the program:
/// docs/figures.md.
package enum ShippedSections {
  /// A file of the program.
  package struct File: Sendable {
    /// For example `usage/by-feature`, of the file `usage-by-feature.sql`.
    package let name: String
    package let bytes: [UInt8]

    /// The query without its header.
    package var sql: String {
      let text = String(decoding: bytes, as: UTF8.self)
      return text.firstRange(of: "---*/").map { String(text[$0.upperBound...]) } ?? text
    }

    /// Where it lies in the repository.
    package var path: String {
      "Sources/Reports/Sections/Queries/\(name.replacing("/", with: "-")).sql"
    }
  }

  /// By name.
  package static let all = [
    File(name: "limits/fetched-settings", bytes: PackageResources.limits_fetched_settings_sql),
    File(name: "limits/live", bytes: PackageResources.limits_live_sql),
    File(name: "limits/paywall", bytes: PackageResources.limits_paywall_sql),
    File(name: "limits/quota-reach", bytes: PackageResources.limits_quota_reach_sql),
    File(name: "limits/setting-changes", bytes: PackageResources.limits_setting_changes_sql),
    File(name: "money/base", bytes: PackageResources.money_base_sql),
    File(name: "money/blocks", bytes: PackageResources.money_blocks_sql),
    File(name: "money/blocks-by", bytes: PackageResources.money_blocks_by_sql),
    File(name: "money/conditions", bytes: PackageResources.money_conditions_sql),
    File(name: "money/forecast", bytes: PackageResources.money_forecast_sql),
    File(name: "money/grace", bytes: PackageResources.money_grace_sql),
    File(name: "money/new-subscribers", bytes: PackageResources.money_new_subscribers_sql),
    File(name: "money/price-answer", bytes: PackageResources.money_price_answer_sql),
    File(name: "money/price-revenue", bytes: PackageResources.money_price_revenue_sql),
    File(name: "money/price-test", bytes: PackageResources.money_price_test_sql),
    File(name: "ratings/asking", bytes: PackageResources.ratings_asking_sql),
    File(name: "ratings/by-country", bytes: PackageResources.ratings_by_country_sql),
    File(name: "ratings/by-day", bytes: PackageResources.ratings_by_day_sql),
    File(name: "ratings/by-version", bytes: PackageResources.ratings_by_version_sql),
    File(name: "ratings/by-week", bytes: PackageResources.ratings_by_week_sql),
    File(name: "ratings/completion", bytes: PackageResources.ratings_completion_sql),
    File(name: "ratings/funnel", bytes: PackageResources.ratings_funnel_sql),
    File(name: "ratings/funnel-thresholds", bytes: PackageResources.ratings_funnel_thresholds_sql),
    File(name: "ratings/funnel-versions", bytes: PackageResources.ratings_funnel_versions_sql),
    File(name: "ratings/funnel-weeks", bytes: PackageResources.ratings_funnel_weeks_sql),
    File(name: "ratings/outbox", bytes: PackageResources.ratings_outbox_sql),
    File(name: "ratings/show-rate", bytes: PackageResources.ratings_show_rate_sql),
    File(name: "ratings/stars", bytes: PackageResources.ratings_stars_sql),
    File(name: "ratings/store-countries", bytes: PackageResources.ratings_store_countries_sql),
    File(name: "ratings/store-means", bytes: PackageResources.ratings_store_means_sql),
    File(name: "ratings/store-versions", bytes: PackageResources.ratings_store_versions_sql),
    File(name: "runs/by-day", bytes: PackageResources.runs_by_day_sql),
    File(name: "runs/costs", bytes: PackageResources.runs_costs_sql),
    File(name: "runs/job-cost", bytes: PackageResources.runs_job_cost_sql),
    File(name: "runs/job-effort", bytes: PackageResources.runs_job_effort_sql),
    File(name: "runs/ledger", bytes: PackageResources.runs_ledger_sql),
    File(name: "runs/newest-reads", bytes: PackageResources.runs_newest_reads_sql),
    File(name: "runs/skipped", bytes: PackageResources.runs_skipped_sql),
    File(name: "runs/warnings", bytes: PackageResources.runs_warnings_sql),
    File(name: "usage/by-day", bytes: PackageResources.usage_by_day_sql),
    File(name: "usage/by-feature", bytes: PackageResources.usage_by_feature_sql),
    File(
      name: "usage/by-feature-segment-day", bytes: PackageResources.usage_by_feature_segment_day_sql
    ),
    File(name: "usage/by-segment", bytes: PackageResources.usage_by_segment_sql),
    File(name: "usage/changes", bytes: PackageResources.usage_changes_sql),
    File(name: "usage/funnel", bytes: PackageResources.usage_funnel_sql),
    File(name: "usage/funnel-by-attempt", bytes: PackageResources.usage_funnel_by_attempt_sql),
    File(name: "usage/funnel-by-country", bytes: PackageResources.usage_funnel_by_country_sql),
    File(name: "usage/funnel-by-criteria", bytes: PackageResources.usage_funnel_by_criteria_sql),
    File(name: "usage/heaviest-users", bytes: PackageResources.usage_heaviest_users_sql),
    File(name: "usage/people-by-day", bytes: PackageResources.usage_people_by_day_sql),
    File(name: "usage/popups", bytes: PackageResources.usage_popups_sql),
    File(name: "usage/resets", bytes: PackageResources.usage_resets_sql),
    File(name: "usage/time-to-block", bytes: PackageResources.usage_time_to_block_sql),
    File(name: "usage/today", bytes: PackageResources.usage_today_sql),
    File(name: "users/by-age", bytes: PackageResources.users_by_age_sql),
    File(name: "users/by-country", bytes: PackageResources.users_by_country_sql),
    File(name: "users/by-gender", bytes: PackageResources.users_by_gender_sql),
    File(name: "users/by-language", bytes: PackageResources.users_by_language_sql),
    File(name: "users/cohorts", bytes: PackageResources.users_cohorts_sql),
    File(name: "users/demand-by-country", bytes: PackageResources.users_demand_by_country_sql),
    File(name: "users/demand-by-gender", bytes: PackageResources.users_demand_by_gender_sql),
    File(name: "users/filter-combinations", bytes: PackageResources.users_filter_combinations_sql),
    File(name: "users/last-seen", bytes: PackageResources.users_last_seen_sql),
    File(name: "users/last-seen-bands", bytes: PackageResources.users_last_seen_bands_sql),
    File(name: "users/newest", bytes: PackageResources.users_newest_sql),
    File(name: "users/newest-online", bytes: PackageResources.users_newest_online_sql),
    File(name: "users/online", bytes: PackageResources.users_online_sql),
    File(name: "users/retention", bytes: PackageResources.users_retention_sql),
    File(name: "users/subscriber-cohorts", bytes: PackageResources.users_subscriber_cohorts_sql),
    File(name: "users/subscribers", bytes: PackageResources.users_subscribers_sql),
    File(name: "users/tiers", bytes: PackageResources.users_tiers_sql),
    File(name: "users/versions", bytes: PackageResources.users_versions_sql),
  ]
}

/// Why a query gives no block: what is wrong, and where.
package struct QueryFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// As messages name it, such as `reports/price-test.sql`.
  package var file: String
  /// From 1.
  package var line: Int
  /// The character of the line, from 1; nil when no place in it is known.
  package var position: Int?
  /// From 1; nil when no row is meant.
  package var row: Int?
  /// Of the result; nil when no column is meant.
  package var column: String?
  package var message: String

  package init(
    file: String, line: Int = 1, position: Int? = nil, row: Int? = nil, column: String? = nil,
    _ message: String
  ) {
    self.file = file
    self.line = line
    self.position = position
    self.row = row
    self.column = column
    self.message = message
  }

  /// `reports/price-test.sql:9: row 3, column 'taps'`.
  var placeWords: String {
    let cell = [row.map { "row \($0)" }, column.map { "column '\($0)'" }].compactMap(\.self)
    let place = "\(file):\(line)" + (position.map { ":\($0)" } ?? "")
    return place + (cell.isEmpty ? "" : ": \(cell.joined(separator: ", "))")
  }

  package var description: String { "\(placeWords): \(message)" }
}

extension SectionQuery {
  /// What is wrong with the query as a whole, or with one of its columns.
  package func fault(_ message: String, row: Int? = nil, column: String? = nil) -> QueryFault {
    QueryFault(file: file, line: line, row: row, column: column, message)
  }

  /// What is wrong with a key of the header, or with the lack of it.
  func fault(ofKey key: String, _ message: String) -> QueryFault {
    QueryFault(file: file, line: keyLines[key] ?? 1, "\(key): \(message)")
  }

  /// What is wrong with `checkedSQL`, at its place in the file, or in one of its checks.
  package func fault(_ problem: QueryProblem) -> QueryFault {
    guard let offset = problem.offset else { return fault(problem.description) }
    let before = checks.isEmpty ? 0 : checkedSQL.utf8.count - statement.utf8.count - 2
    guard (before...before + statement.utf8.count).contains(offset) else {
      guard let index = check(at: offset) else {
        return fault("with its checks: \(problem.description)")
      }
      return QueryFault(
        file: file, line: checks[index].line, "checks[\(index)].when: \(problem.description)")
    }
    let place = QueryPlace(byte: offset - before, in: sql)
    var fault = fault(problem.description)
    fault.line += place.line - 1
    fault.position = place.column
    return fault
  }
}
