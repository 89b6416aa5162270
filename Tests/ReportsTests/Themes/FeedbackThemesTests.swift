import Model
import ReportsTesting
import Testing

@testable import Reports
@testable import Store

@Suite struct FoldedTextTests {
  @Test(arguments: [
    ("It's a CRASH!", "it s a crash"), ("Abstürze", "absturze"), ("Straße", "strasse"),
    ("ŞİFRE sıkıntı", "sifre sikinti"), ("très lent…", "tres lent"), ("ﬁne", "fine"),
    ("أَلتَّطبيق", "تطبيق"), ("والرسائل", "رسايل"), ("الى", "الي"), ("اعلانات", "اعلانات"),
    ("検索の2回", "検 索 の 2 回"), ("बंद हो", "बंद हो"), ("a\u{200D}b", "ab"), ("ガ", "カ"),
    ("", ""), ("😞 !!", ""), ("e\u{301}t", "et"),
  ])
  func `case, accents, punctuation and articles make no difference`(text: String, words: String) {
    #expect(FoldedText.words(of: text) == words.split(separator: " ").map(String.init))
  }

  /// The sample app's texts, which are in 21 languages, and what they are about.
  @Test(arguments: [
    ("Crashes every time I open a chat with more than a few photos.", "crash"),
    ("Ständig Abstürze seit dem letzten Update. Bitte dringend beheben!", "crash"),
    ("Sürekli donuyor, mesajlarım kayboldu!", "crash"),
    ("التطبيق يتوقف فجأة كلما فتحت المحادثات.", "crash"),
    ("Half of the profiles are ads. I came here to talk to people.", "ads"),
    ("Too expensive for what it does. $2.99 a WEEK?", "price"),
    ("Eigentlich ganz nett, aber die Wartezeit beim Aktualisieren nervt.", "waiting"),
    ("No puedo iniciar sesión desde ayer, ¿qué pasa?", "account"),
    ("Demasiados perfiles falsos. Deberían verificar las fotos.", "people"),
    ("使いやすいですが、検索の回数制限がきついです。改善をお願いします。", "search"),
    ("알림이 너무 늦게 와요. 빨리 고쳐 주세요.", "messages"),
    ("האפליקציה איטית מאוד מאז העדכון האחרון.", "speed"),
    ("Dark mode is unreadable: grey text on a slightly darker grey.", "design"),
  ])
  func `the shipped list knows what a text is about`(text: String, theme: String) {
    var matcher = ThemeMatcher(ShippedThemes.all, fold: FoldedText.words)
    #expect(matcher.themes(of: FoldedText.words(of: text)).contains(theme))
  }

  @Test(arguments: [
    "Only a scratch on my new phone", "I added her and sent a letter", "Padding is nice",
  ])
  func `words inside of other words tell no theme`(text: String) {
    var matcher = ThemeMatcher(ShippedThemes.all, fold: FoldedText.words)
    #expect(matcher.themes(of: FoldedText.words(of: text)).isEmpty)
  }
}

@Suite struct FeedbackThemesTests {
  private static let context = SampleReports.context

  private static func entry(
    _ text: String, stars: Int = 1, after seconds: Double = 60, version: String = "3.3",
    mark: FeedbackMark = FeedbackMark()
  ) -> RatingsData.FeedbackEntry {
    RatingsData.FeedbackEntry(
      feedback: Feedback(
        userId: "u", gender: "", country: "", appVersion: version, text: text,
        timestamp: (context.start + .seconds(seconds)).unixSeconds, stars: stars),
      state: nil, remoteName: nil, key: "own/1", mark: mark)
  }

  private static func data(_ entries: [RatingsData.FeedbackEntry]) -> RatingsData {
    var data = EmptyReports.ratings
    data.themes = ShippedThemes.all
    data.feedback = entries.sorted { $0.feedback.timestamp > $1.feedback.timestamp }
    return data
  }

  private static func table(_ id: String, _ data: RatingsData) throws -> [[Cell]] {
    let section = FeedbackThemes(data, WrittenTexts(data, context: context)).section(context)
    for case .table(let table) in section.blocks where table.id == id {
      return table.rows.map(\.cells)
    }
    Issue.record("no table \(id)")
    return []
  }

  /// Praise of before both periods: texts were collected then.
  private static let oldest = entry("Nice", stars: 5, after: -2 * Double(length) - 9)

  @Test(arguments: [(3_600.0, true), (3_601, false)])
  func `without texts from the beginning of the period before there is no comparison`(
    after: Double, isCompared: Bool
  ) throws {
    let data = Self.data([
      Self.entry("It crashes"), Self.entry("It crashes", after: after - Double(Self.length)),
    ])
    let texts = WrittenTexts(data, context: Self.context)
    #expect((texts.obstacle == nil) == isCompared && texts.previous.isEmpty != isCompared)
    #expect((texts.change.change == PeriodChange(from: 1, to: 1)) == isCompared)
    let before = try #require(try Self.table("themes", data).first)[3]
    #expect(before == (isCompared ? .ratio(Ratio(1, of: 1)) : .missing))
    let figures = RatingsReport.make(data, context: Self.context).figures
    for id in ["too-short", "without-theme"] {
      let words = try #require(figures.first { $0.id == id }?.changeNote)
      #expect(
        words == (isCompared ? "0 of 1 (0%†) before" : "no comparison: the texts begin 2 Feb"))
    }
  }

  @Test func `without any text, or with younger reviews or feedback, nothing is compared`() {
    #expect(
      WrittenTexts(Self.data([]), context: Self.context).obstacle == "there are no texts yet")
    var data = Self.data([Self.oldest])
    #expect(WrittenTexts(data, context: Self.context).obstacle == nil)
    data.reviews = SampleReports.reviews
    #expect(WrittenTexts(data, context: Self.context).obstacle == "the texts begin 28 Feb")
    data.reviews?.newest.append(
      SampleReports.review("9", 5, "us", "Nice", "", at: "2025-12-01T12:00:00Z"))
    #expect(WrittenTexts(data, context: Self.context).obstacle == nil)
    data.feedback = [Self.entry("Nice", stars: 5)]
    #expect(WrittenTexts(data, context: Self.context).obstacle != nil)
  }

  private static let length = (context.end - context.start).components.seconds

  /// The first and the last second of both periods, and those outside; four stars are no complaint.
  @Test(arguments: [
    (0.0, 1, 1, 0), (Double(length) - 1, 3, 1, 0), (Double(length), 1, 0, 0), (-1, 1, 0, 1),
    (-Double(length), 1, 0, 1), (-Double(length) - 1, 1, 0, 0), (0, 4, 0, 0),
  ])
  func `texts with one to three stars belong to the period of their second`(
    after: Double, stars: Int, current: Int, previous: Int
  ) {
    let data = Self.data([Self.entry("It crashes", stars: stars, after: after), Self.oldest])
    let texts = WrittenTexts(data, context: Self.context)
    #expect(texts.current.count == current && texts.previous.count == previous)
  }

  @Test func `themes are counted by place, against the period before, the most frequent first`()
    throws
  {
    var data = Self.data([
      Self.entry("It crashes, too many ads"), Self.entry("crash"), Self.entry("freezes", after: -9),
      Self.entry("very bad thing"), Self.oldest,
    ])
    data.reviews = SampleReports.reviews
    data.reviews?.newest = [
      SampleReports.review("1", 1, "us", "Crash", "on start"),
      SampleReports.review("2", 5, "us", "No crash", "so far"),
      SampleReports.review("3", 5, "us", "Nice", "", at: "2025-12-01T12:00:00Z"),
    ]
    let rows = try Self.table("themes", data)
    #expect(rows.map { $0[0] } == [.text("Crashes and freezing"), .text("Advertising")])
    #expect(
      rows[0].dropFirst() == [
        .count(3), .ratio(Ratio(3, of: 4)), .ratio(Ratio(1, of: 1)), .count(1), .count(2),
      ])
    #expect(rows[1][3] == .ratio(Ratio(0, of: 1)))
    let report = RatingsReport.make(data, context: Self.context)
    let figures = report.figures.filter {
      ["low-texts", "too-short", "without-theme"].contains($0.id)
    }
    #expect(
      figures.map(\.value) == [.count(4), .ratio(Ratio(1, of: 4)), .ratio(Ratio(1, of: 4))])
  }

  @Test
  func `a chosen theme stands alone, none hides the words, and a theme that is gone is shown`()
    throws
  {
    let data = Self.data([
      Self.entry("It crashes", mark: FeedbackMark(theme: .chosen("ads"))),
      Self.entry("It crashes", mark: FeedbackMark(theme: .none)),
      Self.entry("It crashes", mark: FeedbackMark(theme: .chosen("old"), doneAt: .now0)),
    ])
    let rows = try Self.table("themes", data)
    #expect(rows.map { $0[0] } == [.text("Advertising"), .text("old")])
    #expect(rows.map { $0[5] } == [.count(1), .count(0)])
    #expect(WrittenTexts(data, context: Self.context).openCount == 2)
  }

  @Test func `versions have their own wholes, and texts that repeat are one row`() throws {
    let data = Self.data([
      Self.entry("App crashes when I open a chat", after: 1),
      Self.entry("the app CRASHES when I open a chat!!", stars: 2, after: 5, version: ""),
      Self.entry("hello there good people", after: 2),
    ])
    let versions = try Self.table("theme-versions", data)
    #expect(versions.map { $0[0] }.first == .text("3.3"))
    #expect(versions.first?[2] == .ratio(Ratio(1, of: 2)))
    #expect(versions.contains { $0[0] == .text("Not told") })
    let repeated = try Self.table("repeated-texts", data)
    #expect(repeated.count == 1)
    #expect(repeated[0][0] == .text("the app CRASHES when I open a chat!!"))
    #expect(repeated[0].dropFirst().prefix(2) == [.count(2), .mean(Mean(total: 3, count: 2))])
    #expect(repeated[0][4] == .text("3.3"))
  }

  @Test func `the digest is one sentence about the texts of both places`() {
    var data = Self.data((0..<6).map { Self.entry("It crashes \($0)", after: Double($0)) })
    data.reviews = SampleReports.reviews
    let empty = Self.data([])
    #expect(
      FeedbackThemes(data, WrittenTexts(data, context: Self.context)).sentence
        == "7 texts with one to three stars in this period: Crashes and freezing (6), "
        + "Limits and waiting (1). Open feedback of all periods: 6.")
    #expect(
      FeedbackThemes(empty, WrittenTexts(empty, context: Self.context)).sentence
        == "No text with one to three stars in this period. Open feedback of all periods: 0.")
  }

  @Test func `an anonymous report has no ids of texts`() throws {
    var data = Self.data([Self.entry("It crashes")])
    func ids(_ data: RatingsData) -> [String?] {
      RatingsReport.make(data, context: Self.context).sections.flatMap(\.blocks).flatMap {
        block -> [UserComment] in
        guard case .feedback(let list) = block else { return [] }
        return list.entries
      }.map(\.id)
    }
    #expect(ids(data) == ["own/1"])
    data.feedback[0].key = ""
    #expect(ids(data) == [nil])
  }

  @Test func `a comment's anchor is made of ids that HTML can hold`() {
    var comment = UserComment(
      at: .now0, stars: 1, text: "", userId: "", gender: "", country: "", appVersion: "")
    for (id, anchor) in [
      ("own/12", "feedback-own-12"), ("1772107200", "feedback-1772107200"), ("a b", nil),
      ("ä", nil), ("", nil), (nil, nil),
    ] as [(String?, String?)] {
      comment.id = id
      #expect(comment.anchor == anchor, "\(id ?? "nil")")
    }
  }
}

extension Instant {
  fileprivate static let now0 = SampleReports.context.now
}
