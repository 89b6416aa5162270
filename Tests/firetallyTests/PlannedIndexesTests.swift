import Emulator
import Firestore
import Fixtures
import Foundation
import Model
import Testing
import Workspace

/// `plan --indexes` against what the commands really ask for: docs/firestore.md#indexes.
@Suite struct PlannedIndexesTests {
  /// Every set of criteria that Firestore is asked about, as a command line.
  private static let criteria: [[String]] = (0..<16).map { set in
    [
      set & 1 == 0 ? [] : ["--gender", "female"], set & 2 == 0 ? [] : ["--country", "Germany"],
      set & 4 == 0 ? [] : ["--language", "German"], set & 8 == 0 ? [] : ["--nearby"],
    ].flatMap(\.self)
  }

  private func file(_ stage: FilterStage) async throws -> Set<String> {
    let requests = stage.requestCount
    let result = try await stage.run("plan", "--indexes")
    #expect(result.status == 0)
    #expect(stage.requestCount == requests)
    let json = try JSON(parsing: Array(result.output.utf8))
    let line = try await stage.run("plan", "--indexes", "--json")
    #expect(try JSON(parsing: Array(line.output.utf8)) == json)
    #expect(line.output.split(separator: "\n").count == 1)
    guard case .object(let lists) = json, case .array(let entries)? = lists["indexes"] else {
      return []
    }
    return Set(entries.map { String(decoding: $0.serialized(), as: UTF8.self) })
  }

  @Test(arguments: [("", 23), ("city_field: user_city\n", 15)])
  func `what the filter commands ask a server is in the file, and the file has nothing else`(
    options: String, count: Int
  ) async throws {
    let stage = try await FilterStage()
    try stage.workspace.set("filter.limit: 100")
    try stage.workspace.write("kind: sync-users\n\(options)", to: "jobs/online-users.yml")
    _ = try await stage.run("profile", "set", "--city", "Berlin")
    let planned = try await file(stage)
    #expect(planned.count == count)
    var asked: Set<String> = []
    for criteria in Self.criteria {
      _ = try await stage.run("filter", "clear")
      let applied = try await stage.workspace.run(["filter", "apply"] + criteria)
      #expect(applied.status == 0 || applied.status == 3, "\(criteria) \(applied.errors)")
      let preview = try await stage.workspace.run(
        ["filter", "preview", "--json"] + criteria
      )
      let used = try Self.used(preview.output)
      #expect(!used.isEmpty)
      for index in used where index.count > 1 { asked.insert(Self.entry(index)) }
    }
    #expect(asked == planned)
  }

  /// The indexes that our own server says a query is answered from, without `__name__`.
  private static func used(_ output: String) throws -> [[(field: String, order: String)]] {
    let line = try FilterStage.objects(output).first
    let queries = line?["queries"] as? [[String: Any]] ?? []
    let states = queries.compactMap { $0["index"] as? [String: Any] }
    let used = states.flatMap { $0["used"] as? [[String: String]] ?? [] }
    return used.map { fields(of: $0["properties"] ?? "") }
  }

  /// Of `(a ASC, last_time_seen DESC, __name__ DESC)`.
  private static func fields(of properties: String) -> [(field: String, order: String)] {
    var fields: [(field: String, order: String)] = []
    for match in properties.matches(of: /(\w+) (ASC|DESC)/) where match.1 != "__name__" {
      fields.append((String(match.1), "\(match.2)ENDING"))
    }
    return fields
  }

  private static func entry(_ index: [(field: String, order: String)]) -> String {
    let fields = index.map { #"{"fieldPath":"\#($0.field)","order":"\#($0.order)"}"# }
    return #"{"collectionGroup":"Users","fields":[\#(fields.joined(separator: ","))],"#
      + #""queryScope":"COLLECTION"}"#
  }

  @Test(.enabled(if: GoogleEmulator.isInstalled, Comment(rawValue: GoogleEmulator.absence)))
  func `Google's emulator takes the query of each index, and finds the users that ours finds`()
    async throws
  {
    let ours = try await FilterStage()
    let theirs = try await FilterStage()
    let project = "p" + theirs.workspace.folder.lastPathComponent.lowercased().suffix(12)
    let environment = ["FIRESTORE_EMULATOR_HOST": try await GoogleEmulator.shared().address]
    try await Self.seed(theirs, project, environment)
    let program = BuiltProgram(environment: environment)
    let place = [
      "-C", theirs.workspace.folder.path, "--project", project, "--now",
      TemporaryWorkspace.morning.description,
    ]
    for stage in [ours, theirs] {
      _ = try await stage.run("profile", "set", "--city", "Berlin", "--tier", "lite")
    }
    for criteria in Self.criteria {
      let preview = try await ours.workspace.run(
        ["filter", "preview", "--json"] + criteria
      )
      let other = try await program.run(
        ["filter", "preview", "--json"] + criteria + place
      )
      #expect(other.status == 0, "\(criteria) \(other.errors)")
      let matches = try [preview, other].map {
        try FilterStage.objects($0.output).first?["matches"] as? Int
      }
      #expect(matches[0] != nil && matches[0] == matches[1], "\(criteria)")
      let applied = try await program.run(["filter", "apply"] + criteria + place)
      #expect(applied.status == (matches[0] == 0 ? 3 : 0), "\(criteria) \(applied.errors)")
      #expect(try theirs.ids().count == matches[0], "\(criteria)")
      _ = try await program.run(["filter", "clear"] + place)
    }
  }

  /// Stores the stage's users in the other server, and empties the copy of those of its own.
  private static func seed(
    _ stage: FilterStage, _ project: String, _ environment: [String: String]
  ) async throws {
    let place = try Workspace.find(at: stage.workspace.folder.path)
    let client = try FirestoreClient(project: project, environment: environment)
    let root = client.endpoint.root
    let users = stage.workspace.server.documents.documents(
      in: try ResourceName(project: "demo").appending(path: "Users"))
    let copies = try users.map { user in
      Document(name: try root.appending(path: "Users/\(user.id)").description, fields: user.fields)
    }
    _ = try await client.commit(copies.map { Write(.update($0, mask: nil)) })
    for suffix in ["", "-wal", "-shm"] {
      let path = place.databasePath + suffix
      if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
    }
  }
}
