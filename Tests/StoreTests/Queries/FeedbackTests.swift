import Fixtures
import Model
import Store
import StoreTesting
import Testing

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
    func texts(_ filter: FeedbackFilter) throws -> [String] {
      try store.read { try $0.feedbackEntries(filter) }.map(\.feedback.text)
    }
    #expect(try texts(FeedbackFilter()) == ["Newer", "Too slow", "Older"])
    #expect(try texts(FeedbackFilter(stars: 5)) == ["Newer"])
    #expect(try texts(FeedbackFilter(state: .queued)) == ["Too slow"])
    #expect(try texts(FeedbackFilter(origin: .foreign)) == ["Newer", "Older"])
    #expect(try texts(FeedbackFilter(origin: .own)) == ["Too slow"])
    var exported: [String] = []
    try store.read { try $0.forEachFeedback { exported.append($0.feedback.text) } }
    #expect(exported == ["Older", "Too slow", "Newer"])
  }
}
