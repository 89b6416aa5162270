import Model
import Testing

@testable import Jobs

struct JobKindTests {
  private func kind(_ text: String) throws(ConfigurationError) -> JobKind? {
    try JobFiles.jobs(in: [SourceFile(path: "jobs/my-job.yml", text: text)]).first?.kind
  }

  @Test func `the defaults of every kind are those of its options`() throws {
    #expect(try kind("kind: sync-settings") == .syncSettings(SyncSettingsOptions()))
    #expect(try kind("kind: sync-users") == .syncUsers(SyncUsersOptions()))
    #expect(
      try kind("kind: sync-reviews\napp_id: 7\ncountries: [us]")
        == .syncReviews(SyncReviewsOptions(appId: 7, countries: ["us"], maxPages: 10)))
    #expect(
      try kind("kind: import-events\nfiles: [a]")
        == .importEvents(ImportEventsOptions(files: ["a"], rejects: "data/rejects/my-job.txt")))
    #expect(try kind("kind: upload-outbox") == .uploadOutbox(UploadOutboxOptions()))
    #expect(try kind("kind: report") == .report(ReportOptions()))
    #expect(try kind("kind: maintain") == .maintain(MaintainOptions()))
  }

  @Test func `the app's own numbers are the defaults of a user sync`() {
    let options = SyncUsersOptions()
    #expect(options.collection == "Users")
    #expect(options.pageSize == 50)
    #expect(options.maxDocuments == 250)
  }

  @Test func `every key of every kind is read`() throws {
    #expect(
      try kind("kind: sync-settings\ndocument: Config/app")
        == .syncSettings(SyncSettingsOptions(document: "Config/app")))
    #expect(
      try kind(
        """
        kind: sync-users
        collection: people
        page_size: 1000
        max_documents: all
        fields: {User_name: displayName, last_time_seen: seen}
        """)
        == .syncUsers(
          SyncUsersOptions(
            collection: "people", pageSize: 1_000, maxDocuments: nil,
            fields: ["User_name": "displayName", "last_time_seen": "seen"])))
    #expect(
      try kind("kind: sync-reviews\napp_id: 9999999999999\ncountries: [us, no]\nmax_pages: 1")
        == .syncReviews(
          SyncReviewsOptions(appId: 9_999_999_999_999, countries: ["us", "no"], maxPages: 1)))
    #expect(
      try kind("kind: import-events\nfiles: [a, 'b/*.gz']\nrejects: r.txt")
        == .importEvents(ImportEventsOptions(files: ["a", "b/*.gz"], rejects: "r.txt")))
    #expect(
      try kind("kind: upload-outbox\nkinds: [feedback]\nmax_items: 1")
        == .uploadOutbox(UploadOutboxOptions(kinds: [.feedback], maxItems: 1)))
    #expect(
      try kind("kind: upload-outbox\nkinds: [moment, feedback]")
        == .uploadOutbox(UploadOutboxOptions(kinds: [.moment, .feedback])))
    #expect(
      try kind("kind: upload-outbox")
        == .uploadOutbox(UploadOutboxOptions(kinds: [.feedback, .moment, .event])))
    #expect(
      try kind("kind: maintain\nkeep_backups: 0")
        == .maintain(MaintainOptions(keepBackups: 0)))
  }

  @Test func `every key of a report job is read`() throws {
    #expect(
      try kind(
        "kind: report\nreports: [runs]\nperiod_days: 1\nformats: [text]\noutput: o\nstyle_sheet: a.css"
      )
        == .report(
          ReportOptions(
            reports: [.runs], period: .days(1), formats: [.text], output: "o", styleSheet: "a.css"))
    )
    #expect(
      try kind(
        """
        kind: report
        period: last-month
        time_zone: Asia/Tokyo
        scope: profile
        anonymous: true
        single_file: true
        history: {keep: 0}
        """)
        == .report(
          ReportOptions(
            period: .lastMonth, timeZone: "Asia/Tokyo", scope: .profile, isAnonymous: true,
            isSingleFile: true, keptDays: 0)))
  }

  @Test(arguments: [
    ("sync-users", "page_size", 1, 1_000), ("sync-users", "max_documents", 1, 100_000_000),
    ("upload-outbox", "max_items", 1, 10_000), ("report", "period_days", 1, 366),
    ("maintain", "keep_backups", 0, 365),
  ])
  func `numbers have bounds, which belong to them`(
    kindName: String, key: String, least: Int, most: Int
  ) throws {
    for value in [least, most] {
      #expect(throws: Never.self) { try kind("kind: \(kindName)\n\(key): \(value)") }
    }
    for value in [least - 1, most + 1] {
      #expect(throws: ConfigurationError.self) { try kind("kind: \(kindName)\n\(key): \(value)") }
    }
  }

  @Test(arguments: [
    "kind: sync-settings\ndocument: AppSettings", "kind: sync-settings\ndocument: a//b/c",
    "kind: sync-settings\ndocument: a/b/c", "kind: sync-users\ncollection: a/b",
    "kind: sync-users\nfields: [User_name]", "kind: sync-users\nfields: {User_name: 5}",
    "kind: sync-reviews\ncountries: [us]", "kind: sync-reviews\napp_id: 1",
    "kind: sync-reviews\napp_id: 0\ncountries: [us]",
    "kind: sync-reviews\napp_id: 10000000000000\ncountries: [us]",
    "kind: sync-reviews\napp_id: '1'\ncountries: [us]",
    "kind: sync-reviews\napp_id: 1\ncountries: us",
    "kind: sync-reviews\napp_id: 1\ncountries: []",
    "kind: sync-reviews\napp_id: 1\ncountries: [US]",
    "kind: sync-reviews\napp_id: 1\ncountries: [usa]",
    "kind: sync-reviews\napp_id: 1\ncountries: [us, us]",
    "kind: sync-reviews\napp_id: 1\ncountries: [u1]",
    "kind: sync-reviews\napp_id: 1\ncountries: [us]\nmax_pages: 0",
    "kind: sync-reviews\napp_id: 1\ncountries: [us]\nmax_pages: 11",
    "kind: import-events", "kind: import-events\nfiles: a.ndjson",
    "kind: upload-outbox\nkinds: [letters]", "kind: upload-outbox\nkinds: []",
    "kind: upload-outbox\nkinds: [feedback, feedback]",
    "kind: report\nreports: all", "kind: report\nformats: [pdf]", "kind: report\noutput: 5",
    "kind: report\nperiod: 7", "kind: report\nperiod: next-week",
    "kind: report\nperiod: last-week\nperiod_days: 7", "kind: report\ntime_zone: Berlin",
    "kind: report\nscope: anna",
    "kind: report\nanonymous: 'yes'", "kind: report\nsingle_file: 1",
    "kind: report\nhistory: 30", "kind: report\nhistory: {keep: -1}",
    "kind: report\nhistory: {keep: 3661}", "kind: report\nhistory: {days: 30}",
  ])
  func `a wrong value is exactly one problem`(text: String) {
    let error = #expect(throws: ConfigurationError.self) { try kind(text) }
    #expect(error?.problems.count == 1)
  }

  @Test(arguments: JobKind.Name.allCases)
  func `no kind takes a key that every job has`(name: JobKind.Name) {
    let common = Set(JobFile.commonKeys.keys(under: ""))
    #expect(common.isDisjoint(with: name.keys.keys(under: "")))
  }
}
