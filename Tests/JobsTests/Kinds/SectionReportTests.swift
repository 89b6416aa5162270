import Fixtures
import Foundation
import JobsTesting
import Model
import Reports
import Store
import Testing

@testable import Jobs
@testable import Operations
@testable import Workspace

/// Sections that are files, from the database to the pages: docs/figures.md.
struct SectionReportTests {
  private static let now = Instant.morning + .seconds(40 * 86_400)

  /// Forty days of attempts, the same in every test.
  private static var attempts: [Event] {
    (0..<1_200).map { number in
      let feature: Feature = number % 3 == 0 ? .filter : .refresh
      let kinds: [EventKind] = [
        .buttonTapped, .popupShown, .performed, .blockedLimitReached, .subscriptionButtonTapped,
      ]
      let types: [UserType?] = [.freeUser, .freeUser, .freeUser, .newUser, nil, .liteSubscriber]
      var parameters: [String: EventValue] = [
        "ios_usage_limit": .integer(2), "ios_current_usage": .integer(Int64(number % 4)),
        "ios_filter_result_count": .integer(Int64(number % 2)),
      ]
      if number % 4 == 0 { parameters["ios_filter_gender"] = .string("Female") }
      if number % 9 == 0 { parameters["ios_filter_country"] = .string("Chile") }
      parameters["ios_user_type"] = types[number / 5 % 6].map { .string($0.rawValue) }
      return Event(
        name: FeatureEventName(platform: "ios", feature: feature, kind: kinds[number % 5]).text,
        at: .morning + .seconds(number / 30 * 86_400 + number % 30 * 1_400),
        userId: "u\(number / 60 + number % 7)", parameters: parameters,
        country: number % 2 == 0 ? "Kenya" : nil)
    }
  }

  private static var ratings: [Event] {
    (0..<60).map { number in
      let name = "rating_ChatHub_\(number % 5 + 1)"
      let version: String? = number % 4 == 0 ? nil : "3.\(number / 30)"
      return Event(
        name: "app_events", at: .morning + .seconds((number + 20) / 2 * 86_400 + 60 * number),
        userId: "u\(number)", parameters: [name: .integer(1)],
        country: number % 3 == 0 ? nil : "Chile", appVersion: version)
    }
  }

  /// Two prices, beside each other over three days.
  private static var prices: [Event] {
    (0..<40).map { (number: Int) -> Event in
      let kind: EventKind = number % 5 == 4 ? .subscriptionButtonTapped : .pricingDisplayed
      let price: String = number % 2 == 0 ? "$2.99/week" : "$4.99/week"
      let seconds: Int = (number + 500) * 6_500
      let parameters: [String: EventValue] = [
        "ios_user_type": .string("free_user"),
        "ios_subscription_price_displayed": .string(price),
      ]
      return Event(
        name: FeatureEventName(platform: "ios", feature: .refresh, kind: kind).text,
        at: .morning + .seconds(seconds), userId: "p\(number)", parameters: parameters)
    }
  }

  private static var moments: [Event] {
    [
      ("moment_added", "daily_limit_reached"), ("moment_refused", "daily_limit_reached"),
      ("paywall_shown", "daily_limit_reached"),
    ].map { name, trigger in
      Event(
        name: name, at: now - .seconds(86_400), userId: "m",
        parameters: [
          "ios_subscription_status": .string("free"), "ios_paywall_trigger": .string(trigger),
        ])
    }
  }

  private static var reviews: [AppReview] {
    (0..<20).map { number in
      AppReview(
        id: "\(number)", appId: 7, country: number % 3 == 0 ? "us" : "cl", stars: number % 5 + 1,
        version: "3.\(number % 2)", author: "", title: "", text: "",
        updatedAt: now - .seconds(number * 86_400))
    }
  }

  private static var audited: [AuditedRead] {
    (0..<4).map { number in
      AuditedRead(
        id: Int64(number), at: now - .seconds(3_600 * (number + 1)),
        collection: number == 3 ? "" : "Users", method: "RunQuery",
        caller: number == 0 ? "app user" : "reports@chathub.iam.gserviceaccount.com",
        tags: number == 0 ? [] : ["app=firetally", "job=online-users"],
        documentCount: number == 2 ? nil : 100 * (number + 1))
    }
  }

  private static var events: [Event] { attempts + ratings + prices + moments }

  /// Taps and ratings of another platform, which only a report of all platforms counts.
  private static var android: [Event] {
    let tap = FeatureEventName(platform: "android", feature: .refresh, kind: .buttonTapped).text
    return (0..<30).map { (number: Int) -> Event in
      let isRating = number % 3 == 0
      let parameters: [String: EventValue] =
        isRating
        ? ["rating_ChatHub_\(number % 5 + 1)": .integer(1)]
        : ["android_user_type": .string("free_user")]
      return Event(
        name: isRating ? "app_events" : tap, at: now - .seconds(number * 50_000 + 60),
        userId: "a\(number % 7)", parameters: parameters, platform: "android")
    }
  }

  private static func workspace(_ own: [String: String] = [:]) throws -> TestWorkspace {
    let workspace = try TestWorkspace(jobs: [:])
    for (name, text) in own { try workspace.write(text, to: "reports/\(name)") }
    try workspace.store.write { writer in
      _ = try writer.append(events, source: "test")
      _ = try writer.addPurchases { try $0(PurchaseRows(SectionPurchases.rows(before: now))) }
      _ = try writer.upsert(reviews, at: now)
      // A subscriber who came, and whose account is gone.
      var user = AuthUser(uid: "s")
      user.tier = .lite
      _ = try writer.upsert([user], pass: 2, isFirst: false, at: now - .seconds(60 * 86_400))
      _ = try writer.deleteAccounts(unseenBy: 3, at: now - .seconds(86_400))
    }
    return workspace
  }

  @discardableResult
  private static func write(
    _ workspace: TestWorkspace, _ change: (inout ReportOptions) -> Void = { _ in }
  ) throws -> JobResult {
    var options = ReportOptions.defaults
    options.keptDays = 0
    change(&options)
    let context = try workspace.context(at: ManualClock(start: now))
    return try ReportWork(options, context).write()
  }

  private static func faults(
    in workspace: TestWorkspace
  ) throws -> [(entry: SectionFiles.Entry, faults: [String])] {
    let context = try workspace.context(at: ManualClock(start: now))
    return try ReportQueries(.defaults, context).faults(of: try workspace.folder.sections())
  }

  private static func text(_ file: String, in workspace: TestWorkspace) throws -> String {
    try String(contentsOfFile: workspace.folder.path("output/\(file)"), encoding: .utf8)
  }

  /// What a workspace has beside its events, since some sections are shown only with it.
  private enum Shown: CaseIterable {
    case plain
    /// Another platform: docs/reports/events.md#platforms.
    case platforms
    /// An event that names no user.
    case unnamed
    /// No payment that is known: docs/money.md#who-pays.
    case unpaid
    /// An imported audit log: docs/readers.md#the-audit-log.
    case audited

    init(section name: String) {
      self =
        switch name {
        case _ where name.hasSuffix("by-platform"): .platforms
        case "usage/signed-in": .unnamed
        case "money/base", "money/payers-by-day": .unpaid
        case _ where name.hasPrefix("runs/readers"): .audited
        default: .plain
        }
    }
  }

  /// Every page as JSON, by its file, of one report of each such workspace.
  private static let pages = Dictionary(
    uniqueKeysWithValues: Shown.allCases.map { shown in (shown, Result { try pages(shown) }) })

  private static func pages(_ shown: Shown) throws -> [String: Data] {
    let workspace = try workspace()
    try workspace.store.write { writer in
      switch shown {
      case .plain: break
      case .platforms: _ = try writer.append(android, source: "android")
      case .unnamed:
        var unnamed = android
        for place in unnamed.indices { unnamed[place].userId = "" }
        _ = try writer.append(unnamed, source: "unnamed")
      case .unpaid: _ = try writer.removePurchases(before: now + .seconds(1 << 30))
      case .audited: _ = try writer.add(audited)
      }
    }
    try write(workspace) { if shown == .platforms || shown == .unnamed { $0.platform = .all } }
    let folder = URL(fileURLWithPath: workspace.folder.path("output"))
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return Dictionary(
      uniqueKeysWithValues: try files.filter { $0.pathExtension == "json" }.map {
        ($0.lastPathComponent, try Data(contentsOf: $0))
      })
  }

  /// The object of a table in JSON.
  private static func table(_ id: String, of page: Data) throws -> [String: Any] {
    let json = try JSONSerialization.jsonObject(with: page)
    let sections = (json as? [String: Any])?["sections"] as? [[String: Any]] ?? []
    let blocks = sections.flatMap { $0["blocks"] as? [[String: Any]] ?? [] }
    return try #require(
      blocks.compactMap { $0["table"] as? [String: Any] }.first { $0["id"] as? String == id })
  }

  @Test(arguments: ShippedSections.all.map(\.name))
  func `the rows of a shipped section are the recorded ones`(name: String) throws {
    let entry = try #require(SectionFiles.shipped.first { $0.name == name })
    let query = try entry.query.get()
    let pages = try #require(Self.pages[Shown(section: name)]).get()
    var table = try Self.table(
      query.id, of: try #require(pages["\(query.page.rawValue).json"]))
    // The text of a query may change while its rows stay.
    #expect(table.removeValue(forKey: "query") as? String == query.sql)
    table["parameters"] = nil
    let found = try JSONSerialization.data(
      withJSONObject: table, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    let file = SourceTree.root.appendingPathComponent("Tests/Golden/Sections/\(query.id).json")
    guard ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != "1" else {
      try (found + Data("\n".utf8)).write(to: file)
      Issue.record("recorded \(name); run again without RECORD_GOLDEN")
      return
    }
    #expect(found + Data("\n".utf8) == (try Data(contentsOf: file)), "\(name) differs")
  }

  @Test func `every shipped file is right, and its query has the columns of its header`() throws {
    let workspace = try Self.workspace()
    let checked = try Self.faults(in: workspace)
    #expect(checked.count == ShippedSections.all.count)
    #expect(checked.flatMap(\.faults) == [])
    let names = ShippedSections.all.map(\.name)
    #expect(names == names.sorted() && Set(names).count == names.count)
  }

  @Test func `every recipe of the manual, and the example of a new workspace, can be run`() throws {
    let page = try SourceTree.text(of: "docs/figures.md")
    let recipes = page.matches(of: /```sql\n(\/\*---\n(?:.|\n)*?)```/).map { String($0.output.1) }
    #expect(recipes.count == 11, "the example at the head of the page, and ten")
    var files = Dictionary(
      uniqueKeysWithValues: recipes.enumerated().map { ("recipe-\($0).sql", $1) })
    files["example.sql"] = WorkspaceTemplate.sectionFile.text
    let workspace = try Self.workspace(files)
    for (entry, faults) in try Self.faults(in: workspace) {
      #expect(faults == [], "\(entry.source.path)")
    }
    try Self.write(workspace)
    let text = try Self.text("own.txt", in: workspace)
    #expect(
      !text.contains("SQLite") && !text.contains("A query failed")
        && !text.contains("A section file is wrong"), "\(text)")
  }

  private static let own = """
    /*---
    title: Busy people
    columns:
      person: {title: Person, unit: user_id}
      taps: {title: Taps, unit: count, bars: true}
    tile: taps
    checks:
      - {when: taps > 1, level: error, say: "{person} tapped {taps} times."}
    ---*/
    SELECT user_id AS person, taps FROM person WHERE in_period AND 'sec-' <> :time_zone
    ORDER BY taps DESC, user_id LIMIT 3
    """

  @Test func `a reader's own query has a page, findings and a tile, and goes with its file`() throws
  {
    let workspace = try Self.workspace([
      "busy.sql": Self.own, "wrong.sql": "SELECT 1",
      "failing.sql": Self.own.replacing("taps FROM", with: "taps,\n  tips FROM"),
    ])
    let warnings = try Self.write(workspace).warnings.map(\.sentence)
    #expect(
      warnings.map { $0.prefix { $0 != ":" } }.sorted() == [
        "A query failed. reports/failing.sql", "A section file is wrong. reports/wrong.sql",
      ])
    let page = try Self.text("own.html", in: workspace)
    #expect(page.contains("Busy people") && page.contains("How is this counted?"))
    #expect(page.contains("reports/failing.sql:11:3: SQLite cannot run the query: no such column"))
    #expect(page.contains("reports/wrong.sql:1: has no header"))
    #expect(try Self.text("usage.html", in: workspace).contains("own.html"))
    let findings = try Self.text("findings.json", in: workspace)
    #expect(findings.contains(" tapped ") && findings.contains("own.html#busy"))
    #expect(try Self.text("index.html", in: workspace).contains("own.html#busy"))
    #expect(try Self.text("own.json", in: workspace).contains(#""time_zone" : "UTC""#))
    #expect(try Self.text("tables/own.busy.csv", in: workspace).contains("person,taps"))
    for name in ["busy", "wrong", "failing"] {
      try FileManager.default.removeItem(atPath: workspace.folder.path("reports/\(name).sql"))
    }
    try Self.write(workspace) { $0.reports = [.users] }
    #expect(try Self.text("own.html", in: workspace) == page)
    #expect(try Self.write(workspace).warnings == [])
    for file in ["own.html", "own.txt", "tables/own.busy.csv"] {
      #expect(throws: (any Error).self) { try Self.text(file, in: workspace) }
    }
    #expect(try !Self.text("usage.html", in: workspace).contains("own.html"))
  }

  @Test func `an anonymous report has no id of a person and no query of the reader's`() throws {
    let workspace = try Self.workspace(["busy.sql": Self.own])
    try Self.write(workspace) { $0.isAnonymous = true }
    for file in ["own.html", "own.txt", "own.json", "own.csv", "findings.json"] {
      let text = try Self.text(file, in: workspace)
      #expect(text.matches(of: /\bu[0-9]{1,2}\b/).isEmpty && !text.contains("sec-"), "\(file)")
    }
    #expect(try Self.text("own.txt", in: workspace).contains("user-"))
  }

  @Test func `a check of the files names the place of a fault`() throws {
    let checked = Self.own.replacing("taps > 1", with: "tips > 1")
    let workspace = try Self.workspace([
      "a.sql": Self.own, "b.sql": Self.own.replacing("LIMIT 3", with: "LIMIT :n"),
      "c.sql": checked, "d.sql": Self.own.replacing("AS person", with: "AS persons"),
      "e.sql": Self.own.replacing("SELECT", with: "DELETE"),
      "f.sql": Self.own.replacing("taps FROM", with: "'many' AS taps FROM"),
      "g.sql": "SELECT 1", "h.sql": Self.own.replacing("FROM person", with: "FROM nowhere"),
    ])
    let faults = try Self.faults(in: workspace)
      .filter(\.entry.isOwn).map { $0.faults.joined() }
    #expect(faults[0] == "")
    #expect(faults[1].contains("The parameter :n has no value"), "\(faults[1])")
    #expect(faults[2].hasPrefix("reports/c.sql:8: checks[0].when: SQLite"), "\(faults[2])")
    #expect(faults[3].contains("column 'person': the query gives no such"), "\(faults[3])")
    #expect(faults[3].contains("the header needs it. Did you mean 'persons'?"), "\(faults[3])")
    #expect(faults[4].hasPrefix("reports/e.sql:10"), "\(faults[4])")
    #expect(faults[5].contains("row 1, column 'taps'"), "\(faults[5])")
    #expect(
      faults[6]
        == "reports/g.sql:1: has no header: begin the file with '/*---', YAML, and '---*/'")
    #expect(faults[7].contains("no such table: nowhere"), "\(faults[7])")
  }

  @Test func `a check finds misspelt places and an id that two files have`() throws {
    func file(_ keys: String, page: String = "usage") -> String {
      "/*---\ntitle: X\ncolumns: {a: text}\npage: \(page)\n\(keys)\n---*/\nSELECT 'x' AS a"
    }
    let workspace = try Self.workspace([
      "a.sql": file("place: faetures 1"), "b.sql": file("id: mine\nplace: features"),
      "c.sql": file("id: mine\nplace: features"), "d.sql": file("place: mine\nafter: dyas"),
      "e.sql": file("place: retentoin\nsection: Mine", page: "users"),
      "f.sql": file("id: by-feature", page: "usages"), "g.sql": file("id: taps-by-hour"),
    ])
    let faults = try Self.faults(in: workspace).filter(\.entry.isOwn).map(\.faults)
    #expect(
      faults[0] == [
        "reports/a.sql:5: place: the page 'usage' has no section 'faetures'. Did you mean "
          + "'features'? Give a new section its title by the key 'section'."
      ])
    #expect(faults[1] == [])
    #expect(
      faults[2] == ["reports/c.sql:5: id: the page has a table 'mine' already; set another 'id'"])
    #expect(faults[3].count == 1 && faults[3][0].hasPrefix("reports/d.sql:6: after: the page"))
    #expect(faults[4] == [])
    #expect(faults[5].count == 1 && faults[5][0].hasPrefix("reports/f.sql:4:7: page: must be one"))
    #expect(faults[6].count == 1 && faults[6][0].hasPrefix("reports/g.sql:5: id: the page has a"))
  }
}
