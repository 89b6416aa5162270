import Fixtures
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct FeedbackTests {
  private let folder: TemporaryStore
  private let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private static let collection = "Feedback/com.app/Rating_Feedback"
  private static let second = Instant.morning.unixSeconds

  /// Writes a text in the workspace, half a second into its second; returns its item.
  private func write(_ text: String = "Too slow", at second: Int64 = second) throws -> Int64 {
    try store.write { writer in
      let id = try writer.enqueue(.feedback, profile: "p", payload: "{}", at: .morning)
      try writer.record(
        RatingRecord(
          profile: "p", userId: "u", gender: "Male", country: "Peru", appVersion: "2", stars: 2,
          feedback: text, at: Instant(unixSeconds: second) + .microseconds(500_000), tries: 1,
          outboxId: id))
      return id
    }
  }

  private func deliver(_ item: Int64, as id: String) throws {
    try store.write { writer in
      try writer.markSending(id: item, at: .morning)
      try writer.markDelivered(id: item, remoteName: "\(Self.collection)/\(id)", at: .morning)
    }
  }

  /// Reads a document back; nil members are those of `write`.
  private func mirror(
    _ id: String, _ text: String = "Too slow", at second: Int64 = second, user: String = "u",
    stars: Int64 = 2
  ) throws {
    var rows = TableRows(width: SyncTable.feedback.columns.count)
    for cell in ["\(Self.collection)/\(id)", id, user, "Male", "Peru", "2", text] {
      rows.append(text: cell)
    }
    for number in [second, stars, 7] { rows.append(number) }
    try store.write { writer in
      _ = try writer.upsert(rows, into: .feedback, at: .morning)
    }
  }

  private func origins() throws -> [RatingsData.FeedbackEntry.Origin] {
    try store.read { try $0.feedbackEntries() }.map(\.origin)
  }

  @Test func `a text that was delivered and read back is one entry, whichever came first`() throws {
    let item = try write()
    try mirror("\(Self.second)")
    #expect(try origins() == [.own])
    try deliver(item, as: "\(Self.second)")
    #expect(try origins() == [.own])
    let other = try write("Still too slow", at: Self.second + 1)
    try deliver(other, as: "\(Self.second + 5)")
    try mirror("\(Self.second + 5)", "Still too slow", at: Self.second + 1)
    #expect(try origins() == [.own, .own])
  }

  @Test func `an item whose answer was lost is the document with its content`() throws {
    let item = try write()
    try store.write { try $0.markSending(id: item, at: .morning) }
    try mirror("\(Self.second + 3)")
    let entry = try #require(try store.read { try $0.feedbackEntries() }.first)
    #expect((entry.origin, entry.state) == (.own, .sending))
    #expect(entry.remoteName == "\(Self.collection)/\(Self.second + 3)")
    #expect(try origins().count == 1)
  }

  @Test func `a document that differs in one member is foreign`() throws {
    _ = try write()
    try mirror("a", "Too slow!")
    try mirror("b", at: Self.second + 1)
    try mirror("c", at: Self.second - 1)
    try mirror("d", user: "v")
    try mirror("e", stars: 1)
    #expect(try origins().count { $0 == .foreign } == 5)
    #expect(try origins().count { $0 == .own } == 1)
  }

  @Test func `a document belongs to the item that became it, also when its content has changed`()
    throws
  {
    try deliver(try write(), as: "1")
    try mirror("1", "Edited in the console")
    try mirror("2")
    let entries = try store.read { try $0.feedbackEntries() }
    #expect(entries.map(\.origin) == [.own, .foreign])
    #expect(entries.map(\.feedback.text) == ["Too slow", "Too slow"])
    #expect(entries.map(\.remoteName) == ["1", "2"].map { "\(Self.collection)/\($0)" })
  }

  @Test func `entries are chosen by stars, state and origin, and exported oldest first`() throws {
    _ = try write(at: Self.second)
    try mirror("1", "Older", at: Self.second - 10, stars: 1)
    try mirror("2", "Newer", at: Self.second + 10, stars: 5)
    func texts(
      stars: Int? = nil, state: OutboxItem.State? = nil,
      origin: RatingsData.FeedbackEntry.Origin? = nil
    ) throws -> [String] {
      try store.read { try $0.feedbackEntries(stars: stars, state: state, origin: origin) }
        .map(\.feedback.text)
    }
    #expect(try texts() == ["Newer", "Too slow", "Older"])
    #expect(try texts(stars: 5) == ["Newer"])
    #expect(try texts(state: .queued) == ["Too slow"])
    #expect(try texts(origin: .foreign) == ["Newer", "Older"])
    #expect(try texts(origin: .own) == ["Too slow"])
    var exported: [String] = []
    try store.read { try $0.forEachFeedback { exported.append($0.feedback.text) } }
    #expect(exported == ["Older", "Too slow", "Newer"])
  }

  private func entry(_ id: String) throws -> RatingsData.FeedbackEntry? {
    try store.read { try $0.feedbackEntries(named: id) }.first
  }

  @Test func `notes stay when own feedback is delivered, and when a document is read again`() throws
  {
    let item = try write()
    try mirror("9", "Foreign")
    let foreign = "\(Self.collection)/9"
    try store.write { writer in
      try writer.setTheme(.chosen("crash"), ofFeedback: "own/1", at: .morning)
      try writer.setDone(true, feedback: foreign, at: .morning)
    }
    try deliver(item, as: "1")
    try mirror("1")
    try mirror("9", "Foreign and changed")
    #expect(try origins().count == 2)
    for id in ["own/1", "1", "\(Self.collection)/1"] {
      #expect(try entry(id)?.mark == FeedbackMark(theme: .chosen("crash")), "\(id)")
    }
    #expect(try entry("9")?.mark == FeedbackMark(doneAt: .morning))
    #expect(try entry("9")?.id == "9")
    #expect(try entry("own/1")?.id == "own/1")
    #expect(try entry("own/2") == nil && entry("Rating_Feedback/9") == nil)
  }

  @Test func `an id of two documents names both`() throws {
    try mirror("9")
    try folder.execute(
      """
      INSERT INTO app_rating_feedback SELECT 'Other/' || document_id, document_id, user_id, gender,
      country, app_version, 'Other', timestamp, stars, 0, 0 FROM app_rating_feedback
      """)
    #expect(try store.read { try $0.feedbackEntries(named: "9") }.count == 2)
    #expect(try store.read { try $0.feedbackEntries(named: "Other/9") }.count == 1)
  }

  @Test func `a note that is taken back leaves no row, and done keeps its first time`() throws {
    _ = try write()
    let later = Instant.morning + .seconds(5)
    try store.write { writer in
      try writer.setDone(true, feedback: "own/1", at: .morning)
      try writer.setDone(true, feedback: "own/1", at: later)
      try writer.setTheme(.none, ofFeedback: "own/1", at: later)
    }
    #expect(try entry("own/1")?.mark == FeedbackMark(theme: .none, doneAt: .morning))
    #expect(try store.read { try $0.feedbackEntries(isOpen: true) }.isEmpty)
    #expect(try store.read { try $0.feedbackEntries(isOpen: false) }.count == 1)
    try store.write { try $0.setDone(false, feedback: "own/1", at: later) }
    #expect(try entry("own/1")?.mark == FeedbackMark(theme: .none))
    #expect(try folder.texts("SELECT count(*) FROM feedback_marks") == ["1"])
    try store.write { try $0.setTheme(.byWords, ofFeedback: "own/1", at: later) }
    #expect(try entry("own/1")?.mark == FeedbackMark())
    #expect(try folder.texts("SELECT count(*) FROM feedback_marks") == ["0"])
  }
}
