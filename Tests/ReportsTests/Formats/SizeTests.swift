import Model
import Testing

@testable import Reports

@Suite struct SizeTests {
  @Test("100,000 users in 250 countries, long lists and a month of runs stay under 1 MB a page")
  func size() throws {
    var users = SampleFacts.users
    users.total = 100_000
    users.countries = (0..<250).map { UsersFacts.Count(name: "Country \($0)", count: 400) }
    users.newest = (0..<1_000).map { SampleFacts.user("Name \($0)", id: "user-\($0)") }
    var usage = SampleFacts.usage
    usage.heaviestUsers = (0..<1_000).map {
      UsageFacts.HeavyUser(userId: "user-\($0)", name: nil, taps: 5, performed: 3, blocked: 2)
    }
    var ratings = SampleFacts.ratings
    let text = String(repeating: "word ", count: 100)
    ratings.feedback = Array(repeating: SampleFacts.feedback(text, stars: 1), count: 2_000)
    var runs = SampleFacts.runs
    runs.runs = Array(repeating: SampleFacts.runs.runs[0], count: 3_000)
    let reports = SampleFacts.reports(usage: usage, ratings: ratings, users: users, runs: runs)
    for file in try ReportSet.files(of: reports, formats: [.html, .text]) {
      #expect(file.bytes.count < 200_000, "\(file.name): \(file.bytes.count)")
    }
  }

  @Test("what the page leaves out is counted, and all of it is in the CSV")
  func rest() throws {
    var users = SampleFacts.users
    users.newest = (0..<40).map { SampleFacts.user("Name \($0)", id: "user-\($0)") }
    let report = UsersReport.make(users, frame: SampleFacts.frame)
    let page = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report))).text
    #expect(page.contains("25 of 4,862 shown; 40 are in users.csv."))
    #expect(page.contains("user-24") && !page.contains("user-25"))
    let csv = String(decoding: CSVWriter.bytes(of: report), as: UTF8.self)
    #expect(csv.contains("user-39"))
    let json = String(decoding: try JSONWriter.bytes(of: report), as: UTF8.self)
    #expect(json.contains("user-39"))
    #expect(!String(decoding: TextWriter.bytes(of: report), as: UTF8.self).contains("user-25"))
  }
}
