import Feeds
import Fixtures
import Foundation
import HTTP
import Model
import Testing

@Suite("ReviewsClient")
struct ReviewsClientTests {
  private static let now = Instant.morning

  private func answer(
    _ server: ScriptedServer, path: String = "", timeouts: HTTPTimeouts = HTTPTimeouts()
  ) async throws -> ReviewsClient.Response {
    try await ReviewsClient(http: HTTPClient(), baseURL: server.url + path, timeouts: timeouts)
      .page(3, of: 7, in: "us", now: Self.now)
  }

  private func page(_ body: [UInt8]) async throws -> ReviewPage {
    let server = try ScriptedServer(answers: [.response(body: body)])
    guard case .page(let page) = try await answer(server) else {
      throw FeedError.malformed(feed: "test", reason: "no page")
    }
    return page
  }

  private func page(_ text: String) async throws -> ReviewPage {
    try await page(Array(text.utf8))
  }

  @Test
  func `an entry becomes a review; the app's own entry and the feed's author do not`() async throws
  {
    let page = try await page(FeedText.feed(FeedText.appEntry + FeedText.entry()))
    #expect(
      page.reviews == [
        AppReview(
          id: "900", appId: 7, country: "us", stars: 4, version: "3.2.1", author: "jo",
          title: "Good", text: "It works.", updatedAt: Instant(unixSeconds: 1_769_754_600))
      ])
    #expect(page.skipped.isEmpty && page.count == 1 && page.receivedBytes > 500)
  }

  @Test(arguments: ["", "/", "/feeds", "/feeds//"])
  func `one request asks for the page, newest first`(path: String) async throws {
    let server = try ScriptedServer(answers: [.response(FeedText.feed(""))])
    _ = try await answer(server, path: path)
    let prefix = path.hasPrefix("/feeds") ? "/feeds" : ""
    #expect(
      server.requests.map(\.target) == [
        "\(prefix)/us/rss/customerreviews/page=3/id=7/sortby=mostrecent/xml"
      ])
  }

  @Test
  func `texts keep what XML escapes, in pieces or not, and lose the space around them`()
    async throws
  {
    let long = String(repeating: "wörd <b>&amp; ", count: 3_000)
    let text = " \n&lt;script&gt;&#x1F600;<![CDATA[<b>&amp;]]>" + long.replacing("<", with: "&lt;")
    let page = try await page(FeedText.feed(FeedText.entry(title: "", text: text)))
    let review = try #require(page.reviews.first)
    #expect(review.title.isEmpty)
    let whole = "<script>😀<b>&amp;" + long.replacing("&amp;", with: "&")
    #expect(review.text == whole.trimmingCharacters(in: .whitespaces))
  }

  @Test(
    arguments: [
      (FeedText.entry(stars: "0"), "im:rating"), (FeedText.entry(stars: "6"), "im:rating"),
      (FeedText.entry(stars: ""), "im:rating"), (FeedText.entry(stars: "4.5"), "im:rating"),
      (FeedText.entry(id: ""), "id"),
      (FeedText.entry(id: String(repeating: "9", count: 201)), "id"),
      (FeedText.entry(updated: "yesterday"), "updated"),
      (FeedText.entry(updated: "2026-02-30T00:00:00Z"), "updated"),
      (FeedText.entry(title: String(repeating: "x", count: 65_537)), "title"),
      (FeedText.entry(text: String(repeating: "x", count: 65_537)), "content"),
    ].map { (SampleText($0.0), $0.1) })
  func `what no review can have leaves it out, by its field`(entry: SampleText, field: String)
    async throws
  {
    let page = try await page(FeedText.feed(entry.text + FeedText.entry(id: "2")))
    #expect(page.reviews.map(\.id) == ["2"])
    #expect(page.skipped == ["bad-field:\(field)": 1])
    #expect(page.count == 2)
  }

  @Test(arguments: ["1", "5"])
  func `a text of 65,536 bytes and an id of 200 characters are taken`(stars: String) async throws {
    let entry = FeedText.entry(
      id: String(repeating: "9", count: 200), stars: stars,
      text: String(repeating: "x", count: 65_536))
    #expect(try await page(FeedText.feed(entry)).reviews.first?.text.count == 65_536)
  }

  @Test(
    arguments: [
      (#"rel="last" href="https://a/us/rss/customerreviews/page=4/id=7/xml?urlDesc=/page=9""#, 4),
      (#"rel="next" href="https://a/us/rss/customerreviews/page=4/id=7/xml""#, nil),
      (#"rel="last" href="https://a/us""#, nil), (#"rel="last""#, nil),
      (#"rel="last" href="/page=99999999999999999999/""#, nil),
    ] as [(String, Int?)])
  func `the last page is what the feed's link says`(attributes: String, number: Int?) async throws {
    #expect(try await page(FeedText.feed("<link \(attributes)/>")).lastPage == number)
  }

  @Test func `a feed in Latin-1 or UTF-16 is read as what it says it is`() async throws {
    let text = FeedText.feed(FeedText.entry(text: "Größe"))
    let latin = text.replacing("utf-8", with: "iso-8859-1")
    let data = try #require(latin.data(using: .isoLatin1))
    #expect(try await page([UInt8](data)).reviews.first?.text == "Größe")
    let wide = try #require(text.replacing("utf-8", with: "utf-16").data(using: .utf16))
    #expect(try await page([UInt8](wide)).reviews.first?.text == "Größe")
  }
}

/// What a server may send instead of a page.
@Suite("ReviewsClient and bad answers")
struct BadReviewAnswerTests {
  private func answer(_ server: ScriptedServer) async throws -> ReviewsClient.Response {
    try await ReviewsClient(http: HTTPClient(), baseURL: server.url)
      .page(1, of: 7, in: "us", now: Instant.morning)
  }

  private func error(_ body: [UInt8]) async throws -> FeedError? {
    let server = try ScriptedServer(answers: [.response(body: body)])
    return await #expect(throws: FeedError.self) { try await answer(server) }
  }

  private static let entities = (1...9).map { level in
    "<!ENTITY l\(level) \"\(String(repeating: "&l\(level - 1);", count: 10))\">"
  }.joined()

  @Test(
    arguments: [
      ("", "line"), ("{}", "line"), ("<html><body>Sorry</body></html>", "not an Atom feed"),
      ("<feed><entry/></feed>", "not an Atom feed"),
      ("<!DOCTYPE html><html></html>", "document type"),
      (
        "<!DOCTYPE feed [<!ENTITY l0 \"ha\">\(entities)]>"
          + FeedText.feed("&l9;").dropFirst(39), "document type"
      ),
      (
        "<!DOCTYPE feed SYSTEM \"http://127.0.0.1:1/x.dtd\" [<!ENTITY f SYSTEM \"file:///etc/passwd\">]>"
          + "<feed xmlns=\"http://www.w3.org/2005/Atom\">&f;</feed>", "document type"
      ),
      (FeedText.feed(FeedText.entry(text: "&passwd;")), "passwd"),
      (FeedText.feed(FeedText.entry(text: "\u{1}")), "line"),
      (FeedText.feed(String(repeating: "<x>", count: 100_000)), "more than 100"),
    ].map { (SampleText($0.0), $0.1) })
  func `a page that is none is an error that says why`(body: SampleText, reason: String)
    async throws
  {
    let error = try await error(Array(body.text.utf8))
    guard case .malformed(_, let said) = error else {
      Issue.record("not malformed: \(String(describing: error))")
      return
    }
    #expect(said.contains(reason), "\(said)")
  }

  @Test func `bytes that are no UTF-8 are an error`() async throws {
    let parts = FeedText.feed(FeedText.entry(text: "@@")).split(separator: "@@")
    let error = try await error(Array(parts[0].utf8) + [0xC3, 0x28] + Array(parts[1].utf8))
    guard case .malformed = error else {
      Issue.record("not malformed: \(String(describing: error))")
      return
    }
  }

  @Test func `a page that was cut anywhere is an error, never fewer reviews`() async throws {
    let whole = Array(FeedText.feed(FeedText.entry() + FeedText.entry(id: "2")).utf8)
    for count in stride(from: 0, to: whole.count - 1, by: 37) {
      guard case .malformed = try await error(Array(whole.prefix(count))) else {
        Issue.record("cut after \(count) bytes it was taken")
        return
      }
    }
  }

  @Test
  func `a connection that breaks is for later, as are a busy server's answers`() async throws {
    let head = ScriptedAnswer.head(200, headers: [("Content-Length", "5000")])
    let broken = ScriptedAnswer([.send(head + Array(FeedText.feed("").utf8.prefix(90))), .close])
    let busy = [408, 429, 500, 503].map {
      ScriptedAnswer.response($0, headers: [("Retry-After", "30")])
    }
    for (index, scripted) in ([broken] + busy).enumerated() {
      let server = try ScriptedServer(answers: [scripted])
      guard case .later(let error, let pause) = try await answer(server) else {
        Issue.record("answer \(index) is not for later")
        continue
      }
      #expect(pause == (index == 0 ? nil : .seconds(30)), "\(error)")
      #expect((error is HTTPError) == (index == 0))
    }
  }

  @Test(arguments: [400, 403, 404])
  func `a refusal is told with its status`(status: Int) async throws {
    let server = try ScriptedServer(answers: [.response(status, "no")])
    let error = await #expect(throws: FeedError.self) { try await answer(server) }
    guard case .refused(_, status, _) = error else {
      Issue.record("not refused: \(String(describing: error))")
      return
    }
  }

  @Test func `a page beyond its limit is cut off`() async throws {
    let body = [UInt8](repeating: 0x20, count: ReviewsClient.bodyLimit + 1)
    let server = try ScriptedServer(answers: [.response(body: body)])
    await #expect(
      throws: HTTPError.tooLarge(host: "127.0.0.1:\(server.port)", limit: ReviewsClient.bodyLimit)
    ) {
      try await answer(server)
    }
  }
}
