import JobsTesting
import Model
import ReportWriters
import Reports
import Store
import Testing

@testable import Jobs
@testable import Workspace

struct JobKindNameTests {
  private func definition(_ text: String) throws(ConfigurationError) -> AnyHashable? {
    let job = try JobFiles.jobs(in: [SourceFile(path: "jobs/my-job.yml", text: text)]).first
    return job.map { AnyHashable($0.definition) }
  }

  @Test func `the defaults of every kind are those of its options`() throws {
    #expect(try definition("kind: sync-settings") == AnyHashable(SyncSettingsOptions()))
    #expect(try definition("kind: sync-users") == AnyHashable(SyncUsersOptions()))
    #expect(
      try definition("kind: sync-reviews\napp_id: 7\ncountries: [us]")
        == AnyHashable(SyncReviewsOptions(appId: 7, countries: ["us"], maxPages: 10)))
    #expect(
      try definition("kind: import-events\nfiles: [a]")
        == AnyHashable(ImportEventsOptions(files: ["a"], rejects: "data/rejects/my-job.txt")))
    #expect(try definition("kind: sync-feedback") == AnyHashable(SyncFeedbackOptions()))
    #expect(try definition("kind: upload-outbox") == AnyHashable(UploadOutboxOptions()))
    #expect(try definition("kind: report") == AnyHashable(ReportOptions()))
    #expect(try definition("kind: maintain") == AnyHashable(MaintainOptions()))
  }

  @Test func `the app's own numbers are the defaults of a user sync`() {
    let options = SyncUsersOptions()
    #expect(options.collection == "Users")
    #expect(options.pageSize == 50)
    #expect(options.maxDocuments == 250)
  }

  @Test func `every key of every kind is read`() throws {
    #expect(
      try definition("kind: sync-settings\ndocument: Config/app")
        == AnyHashable(SyncSettingsOptions(document: "Config/app")))
    #expect(
      try definition(
        """
        kind: sync-users
        collection: people
        page_size: 1000
        max_documents: all
        fields: {User_name: displayName, last_time_seen: seen}
        """)
        == AnyHashable(
          SyncUsersOptions(
            collection: "people", pageSize: 1_000, maxDocuments: nil,
            fields: ["User_name": "displayName", "last_time_seen": "seen"])))
    #expect(
      try definition("kind: sync-reviews\napp_id: 9999999999999\ncountries: [us, no]\nmax_pages: 1")
        == AnyHashable(
          SyncReviewsOptions(appId: 9_999_999_999_999, countries: ["us", "no"], maxPages: 1)))
    #expect(
      try definition("kind: sync-feedback\npage_size: 7\noverlap: 2d\nmax_delete: 3\nmax_reads: 9")
        == AnyHashable(
          SyncFeedbackOptions(
            pageSize: 7, overlap: .seconds(172_800), maxDelete: .rows(3), maxReads: 9)))
    #expect(
      try definition("kind: import-events\nfiles: [a, 'b/*.gz']\nrejects: r.txt")
        == AnyHashable(ImportEventsOptions(files: ["a", "b/*.gz"], rejects: "r.txt")))
    #expect(
      try definition("kind: upload-outbox\nkinds: [feedback]\nmax_items: 1")
        == AnyHashable(UploadOutboxOptions(kinds: [.feedback], maxItems: 1)))
    #expect(
      try definition("kind: upload-outbox\nkinds: [moment, feedback]")
        == AnyHashable(UploadOutboxOptions(kinds: [.moment, .feedback])))
    #expect(
      try definition("kind: upload-outbox")
        == AnyHashable(UploadOutboxOptions(kinds: [.feedback, .moment, .event])))
    #expect(
      try definition("kind: maintain\nkeep_backups: 0")
        == AnyHashable(MaintainOptions(keep: RetentionPolicy(daily: 0))))
    #expect(
      try definition("kind: maintain\nkeep: {daily: 3, weekly: 4, monthly: 6}")
        == AnyHashable(
          MaintainOptions(keep: RetentionPolicy(daily: 3, weekly: 4, monthly: 6))))
    #expect(
      try definition("kind: maintain\nkeep: {weekly: 4}")
        == AnyHashable(MaintainOptions(keep: RetentionPolicy(daily: 7, weekly: 4))))
    #expect(try definition("kind: maintain") == AnyHashable(MaintainOptions()))
  }

  @Test(arguments: [
    (
      "keep_backups: 3\nkeep: {weekly: 1}",
      "jobs/a.yml:2:15: keep_backups: cannot be used with keep"
    ),
    ("keep: {daly: 3}", "jobs/a.yml:2:8: keep.daly: unknown key. Did you mean 'daily'?"),
    ("keep: 7", "jobs/a.yml:2:7: keep: must be a mapping"),
    ("keep: {monthly: 121}", "jobs/a.yml:2:17: keep.monthly: must be an integer from 0 to 120"),
    ("keep: {weekly: -1}", "jobs/a.yml:2:16: keep.weekly: must be an integer from 0 to 520"),
  ])
  func `a wrong retention is told with its place`(lines: String, problem: String) {
    #expect {
      try JobFiles.jobs(
        in: [SourceFile(path: "jobs/a.yml", text: "kind: maintain\n\(lines)\n")])
    } throws: { error in
      "\(error)".hasPrefix(problem)
    }
  }

  @Test func `every key of a report job is read`() throws {
    #expect(
      try definition(
        "kind: report\nreports: [runs]\nperiod_days: 1\nformats: [text]\noutput: o\nstyle_sheet: a.css"
      )
        == AnyHashable(
          ReportOptions(
            reports: [.runs], period: .days(1), formats: [.text], output: "o", styleSheet: "a.css"))
    )
    #expect(
      try definition(
        """
        kind: report
        period: last-month
        time_zone: Asia/Tokyo
        scope: profile
        anonymous: true
        single_file: true
        history: {keep: 0}
        """)
        == AnyHashable(
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
      #expect(throws: Never.self) { try definition("kind: \(kindName)\n\(key): \(value)") }
    }
    for value in [least - 1, most + 1] {
      #expect(throws: ConfigurationError.self) {
        try definition("kind: \(kindName)\n\(key): \(value)")
      }
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
    let error = #expect(throws: ConfigurationError.self) { try definition(text) }
    #expect(error?.problems.count == 1)
  }

  @Test(arguments: JobKindName.allCases)
  func `no kind takes a key that every job has`(kind: JobKindName) throws {
    let common = Set(JobFile.commonKeys.names)
    let definition = try #require(JobRegistry.definition(of: kind))
    #expect(common.isDisjoint(with: definition.keys.names))
  }
}
