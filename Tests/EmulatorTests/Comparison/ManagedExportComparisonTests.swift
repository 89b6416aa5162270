import Firestore
import Fixtures
import Foundation
import HTTP
import Testing

@testable import Emulator

/// Exports of the embedded server and of Google's emulator, each read by the other.
@Suite(.enabled(if: GoogleEmulator.isInstalled, Comment(rawValue: GoogleEmulator.absence)))
struct ManagedExportComparisonTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func documents(_ project: String, seed: UInt64) -> [Document] {
    var random = SeededGenerator(seed: seed)
    return (0..<300).map { index in
      let id = random.pick("d\(index)", "__id\(index + 1)__", "ü \(index)", "quote\"\(index)")
      let path = random.pick("C/\(id)", "Missing/x\(index)/Sub/\(id)")
      return Document(
        name: "projects/\(project)/databases/(default)/documents/\(path)",
        fields: [
          "n": .integer(random.pick(0, .min, .max)), "d": .double(random.pick(-0.0, .nan, 1.5)),
          "t\(index % 3)": .string(
            random.pick("", "\0", "🤩\n", String(repeating: "é", count: 2_000))),
          "b.c": .bytes([0, 255]), "`": .timestamp(Timestamp(microseconds: random.pick(-1, 0, 7))),
          "g": .geoPoint(latitude: 0, longitude: -180), "none": .array([]), "map": .map([:]),
          "a": .array([.null, .map(["in": .array([.boolean(true)])]), .integer(1)]),
          "v": .map([
            "__type__": .string("__vector__"), "value": .array([.double(0.25), .double(-1)]),
          ]),
          "r": .reference("projects/other/databases/(default)/documents/C/__id7__/D/x"),
        ])
    }
  }

  private func post(_ client: RESTClient, _ verb: String, _ body: JSON) async throws {
    let reply = try await client.sendAbsolute(
      .post, "/emulator/v1/projects/\(client.project):\(verb)",
      String(decoding: body.serialized(), as: UTF8.self))
    #expect(reply.status == 200, "\(reply.text)")
  }

  /// All documents by their paths below the database.
  private func contents(_ client: RESTClient) async throws -> [String: [String: Value]] {
    let query = #"{"structuredQuery": {"from": [{"allDescendants": true}]}}"#
    let elements = try await client.send(.post, ":runQuery", query).elements
    let documents = try elements.compactMap { try $0["document"].map { try Document(json: $0) } }
    let root = ResourceName(project: client.project)
    return Dictionary(
      uniqueKeysWithValues: documents.map { (root.relativePath(of: $0.name), $0.fields) })
  }

  private func expected(_ documents: [Document], _ project: String) -> [String: [String: Value]] {
    let root = ResourceName(project: project)
    return Dictionary(
      uniqueKeysWithValues: documents.map { (root.relativePath(of: $0.name), $0.fields) })
  }

  @Test func `Google's emulator imports what is written here, and exports what is read here`()
    async throws
  {
    let project = "managed-export"
    let documents = Self.documents(project, seed: 11)
    let store = DocumentStore(clock: SystemClock.now)
    try store.seed(documents)
    let path = folder.path(of: "written")
    #expect(try store.export(ResourceName(project: project), to: path) == documents.count)
    let google = RESTClient(address: try await GoogleEmulator.shared().address, project: project)
    let overall = "\(path)/firestore_export/firestore_export.overall_export_metadata"
    try await post(
      google, "import",
      .object(["database": .string(google.database), "export_directory": .string(overall)]))
    #expect(try await contents(google) == expected(documents, project))
    try await post(
      google, "export",
      .object([
        "database": .string(google.database), "export_directory": .string(folder.path),
        "export_name": .string("google"),
      ]))
    let read = DocumentStore(clock: SystemClock.now)
    let export = try ManagedExport(at: folder.path(of: "google"))
    #expect(try read.load(export, into: "copy") == documents.count)
    let copied = read.documents(of: ResourceName(project: "copy"))
    #expect(expected(copied, "copy") == expected(documents, project))
  }
}
