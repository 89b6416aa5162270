import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports
@testable import Store

/// No format of an anonymous report holds an id or a name: docs/reports.md#anonymous.
@Suite struct AnonymousDataTests {
  /// The ids and names of people, each unlike anything else in the reports.
  private static let secrets = [
    "zqid-heavy", "zqid-newest", "zqid-writer", "zqid-rater", "zqid-own", "zqid-error",
    "Zqfirst", "Zqlast", "Zqother", "zqprofile", "zqcity", "Zqtown", "zq@example.com",
    "zqhandle", "5550101777", "zqdocument",
  ]

  private static let proposal = SettingProposal(
    key: .refreshLimit, oldValue: "2", value: 4,
    reason: "zqprofile (zqid-own) asked for it; write to zq@example.com", expectedPoints: 5,
    proposedAt: SampleReports.context.start)

  private func reports(anonymous: Bool) throws -> [Report] {
    let error = "Users/zqid-error of zqprofile (zqid-own) cannot be read; write to zq@example.com."
    let results: SampleResults.Rows = [
      "usage/heaviest-users": [["zqid-heavy", "Zqother", 36, 36, 96, 96, 60, 58]],
      "users/newest": [
        [1_772_431_200_000_000, "Zqother", "Female", 27, "Germany", "Zqtown", "zqid-newest", 1]
      ],
      "users/demand-by-country": [["zqid-heavy, zq@example.com", 5, 70, 0, 4_862]],
      "runs/warnings": [[1_772_403_600_000_000, "users", "error", "Error", .text(error), 1]],
    ]
    var ratings = SampleReports.ratings
    ratings.feedback = [
      SampleReports.feedback(
        "zqfirst here, zq@example.com, @zqhandle, 555-0101-777, zqid-newest and zqid-writer",
        stars: 1)
    ]
    ratings.feedback[0].feedback.userId = "zqid-writer"
    ratings.feedback[0].remoteName = "Feedback/zqdocument"
    var limits = SampleReports.limits
    limits.profiles[0].profile = Profile(name: "zqprofile", userId: "zqid-own", city: "zqcity")
    limits.experiments = ExperimentData()
    limits.proposals = [Self.proposal]
    var runs = SampleReports.runs
    runs.lastRuns["upload-feedback"]?.error = error
    var context = SampleReports.context
    context.scope = "zqprofile"
    context.isAnonymous = anonymous
    guard anonymous else {
      return SampleReports.reports(
        context: context, usage: SampleReports.usage, limits: limits, ratings: ratings,
        runs: runs, queries: SampleResults.sections(context, with: results))
    }
    let known = ["zqid-heavy", "zqid-newest", "zqid-error"]
    let pseudonymizer = AnonymousData(
      Pseudonyms(KeyedHash(low: 1, high: 2)) { known.contains($0) },
      profiles: limits.profiles.map(\.profile))
    return SampleReports.reports(
      context: pseudonymizer.context(context), usage: SampleReports.usage,
      limits: try pseudonymizer.limits(limits),
      ratings: try pseudonymizer.ratings(ratings, names: ["zqid-writer": "Zqfirst Zqlast"]),
      runs: try pseudonymizer.runs(runs),
      queries: SampleResults.sections(
        pseudonymizer.context(context), with: results, pseudonymizer: pseudonymizer.queryCover))
  }

  private func texts(anonymous: Bool) throws -> [(name: String, text: String)] {
    let reports = try reports(anonymous: anonymous)
    let single = PageLayout(isSingleFile: true)
    let together = try ReportSet.plan(of: reports, in: single).map {
      ReportFile(name: $0.name, bytes: try $0.bytes(in: single))
    }
    let summary = try #require(PastReport(of: reports)).bytes()
    let files = try ReportSet.files(of: reports) + together
    return (files + [ReportFile(name: "summary.json", bytes: summary)]).map {
      ($0.name, String(decoding: $0.bytes, as: UTF8.self).lowercased())
    }
  }

  @Test func `the sample shows its people, so that the next test means something`() throws {
    let all = try texts(anonymous: false).map(\.text).joined()
    let hidden: Set = ["zqid-rater", "Zqfirst", "Zqlast", "zqcity", "5550101777", "zqdocument"]
    for secret in Self.secrets where !hidden.contains(secret) {
      #expect(all.contains(secret.lowercased()), "\(secret)")
    }
  }

  @Test func `no file of any format holds an id, a name or an address`() throws {
    let files = try texts(anonymous: true)
    #expect(files.count == 37 + 5 + 1)
    for file in files {
      for secret in Self.secrets {
        #expect(!file.text.contains(secret.lowercased()), "\(file.name): \(secret)")
      }
      #expect(!file.text.contains("0101-777"), "\(file.name)")
    }
  }

  @Test func `the same person has the same pseudonym in every report`() throws {
    let pseudonym = Pseudonyms(KeyedHash(low: 1, high: 2)).user("zqid-newest")
    let files = try texts(anonymous: true)
    for name in ["users.csv", "ratings.csv", "ratings.html", "report.txt"] {
      let text = files.first { $0.name == name }?.text.replacing("\n", with: " ")
      #expect(text?.contains(pseudonym) == true, "\(name)")
    }
  }

  @Test func `each page says that it has pseudonyms, and whose numbers it shows`() throws {
    let profile = Pseudonyms(KeyedHash(low: 1, high: 2)).profile("zqprofile")
    for file in try texts(anonymous: true) where file.name.hasSuffix(".html") {
      #expect(file.text.contains("under pseudonyms"), "\(file.name)")
    }
    let usage = try #require(try texts(anonymous: true).first { $0.name == "usage.html" })
    #expect(usage.text.contains("profile \(profile) alone"))
  }

  @Test func `pseudonyms change no number`() throws {
    let with = try reports(anonymous: true)
    let without = try reports(anonymous: false)
    for (left, right) in zip(with, without) {
      #expect(left.headline == right.headline, "\(left.name)")
    }
  }
}
