import Emulator
import Firestore
import Foundation
import Model
import Store
import Testing

/// The app's own feedback through the built program.
@Suite struct FeedbackSyncTests {
  private static let database = "projects/demo/databases/(default)"
  private static let collection = "Feedback/com.peppty.ChatApp/Rating_Feedback"
  private static let second = TemporaryWorkspace.morning.unixSeconds

  private static func document(
    _ id: String, _ text: String, at second: Int64, user: String = "app-user", rating: Value
  ) -> Document {
    Document(
      name: "\(database)/documents/\(collection)/\(id)",
      fields: [
        "userId": .string(user), "gender": .string(""), "country": .string(""),
        "appVersion": .string(""), "feedback": .string(text), "timestamp": .integer(second),
        "rating": rating,
      ])
  }

  private static func texts(_ ago: Int64...) -> [Document] {
    ago.map { document("\(second - $0)", "Text of \($0)", at: second - $0, rating: .double(2)) }
  }

  private func list(
    _ workspace: TemporaryWorkspace, _ options: String...
  ) async throws -> [[String: Any]] {
    let result = try await workspace.run(["feedback", "list", "--json"] + options)
    return try CommandTests.objects(result)
  }

  @Test
  func `the app's own texts are listed, exported and reported beside those written here`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    try workspace.server.documents.seed(Self.texts(500, 400))
    _ = try await workspace.run("rating", "submit", "1", "--feedback", "Written here, by me")
    let run = try await workspace.run("run", "feedback")
    #expect((run.status, run.output) == (0, ""), "\(run.errors)")
    let entries = try await list(workspace)
    #expect(entries.map { $0["origin"] as? String } == ["own", "foreign", "foreign"])
    #expect(entries.map { $0["state"] as? String } == ["queued", nil, nil])
    #expect(try await list(workspace, "--origin", "foreign").count == 2)
    let export = try await workspace.run("feedback", "export").output
    #expect(export.split(separator: "\r\n").count == 4)
    #expect(export.contains(",,\(Self.collection)/\(Self.second - 500),foreign\r\n"))
    _ = try await workspace.run("report", "ratings")
    let report = try String(
      contentsOf: workspace.folder.appending(path: "output/ratings.txt"), encoding: .utf8)
    #expect(report.contains("1 own, 2 foreign"))
    #expect(report.contains("Text of 400"))
    let again = try await workspace.run("run", "feedback", "--json")
    #expect(again.output.contains(#""inserted":0"#))
    #expect(try await list(workspace).count == 3)
  }

  @Test
  func `a text that was delivered is one entry, also when its answer was lost, the run killed`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    _ = try await workspace.run("rating", "submit", "2", "--feedback", "The limits stop me")
    // As an upload leaves it that died before the answer came.
    let text = Self.document(
      "\(Self.second)", "The limits stop me", at: Self.second, user: "", rating: .double(2))
    try workspace.server.documents.seed([text])
    #expect(try await workspace.run("run", "feedback").status == 0)
    #expect(try await list(workspace).map { $0["origin"] as? String } == ["own"])
    #expect(try await workspace.run("run", "upload-feedback").status == 0)
    #expect(try await workspace.run("run", "feedback", "--full").status == 0)
    let entries = try await list(workspace)
    #expect(entries.map { $0["state"] as? String } == ["delivered"])
    #expect(try workspace.deliveredFeedback().count == 1)
  }

  @Test func `killed at any point, each text is one entry in the end`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    try workspace.server.documents.seed(Self.texts(500, 400, 300))
    for second in 0..<3 {
      _ = try await workspace.run(
        "rating", "submit", "1", "--feedback", "Too slow, number \(second)",
        at: TemporaryWorkspace.morning + .seconds(second))
    }
    workspace.server.inject(.delay(.milliseconds(20)), times: nil)
    for kill in 0..<8 {
      let job = kill.isMultiple(of: 2) ? "upload-feedback" : "feedback"
      let running = try workspace.start(
        ["run", job], at: TemporaryWorkspace.morning + .seconds(10 + kill))
      try await Task.sleep(for: .milliseconds(30 + kill * 20))
      running.kill()
      _ = try await running.wait()
    }
    workspace.server.clearFaults()
    let later = TemporaryWorkspace.morning + .seconds(7_200)
    #expect(try await workspace.run("run", "upload-feedback", at: later).status == 0)
    #expect(try await workspace.run("run", "feedback", at: later).status == 0)
    let origins = try await list(workspace).compactMap { $0["origin"] as? String }
    #expect(origins.sorted() == ["foreign", "foreign", "foreign", "own", "own", "own"])
  }

  @Test
  func `documents that cannot be read make one run partial, and late ones are found`() async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    try workspace.server.documents.seed(
      Self.texts(10) + [
        Self.document("x", "No stars", at: Self.second, rating: .string("many"))
      ])
    let first = try await workspace.run("run", "feedback", "--json")
    #expect(first.status == 3)
    #expect(first.output.contains(#""bad-field:rating":1"#))
    #expect(try await workspace.run("run", "feedback").status == 3)
    try workspace.server.documents.seed(Self.texts(900_000))
    let later = TemporaryWorkspace.morning + .seconds(86_400)
    _ = try await workspace.run("run", "feedback", at: later)
    #expect(try await list(workspace).count == 2)
  }

  @Test func `an empty collection is no fault, and what is gone there goes here`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    #expect(try await workspace.run("run", "feedback").status == 0)
    try workspace.server.documents.seed(Self.texts(Int64(100), 90, 80, 70, 60, 50, 40, 30, 20, 10))
    _ = try await workspace.run("run", "feedback")
    let name = try ResourceName(project: "demo").appending(
      path: "\(Self.collection)/\(Self.second - 50)")
    _ = try workspace.server.documents.commit([
      StoredWrite(Write(.delete(name: name.description)))
    ])
    #expect(try await workspace.run("run", "feedback").status == 0)
    #expect(try await list(workspace).count == 9)
  }
}
