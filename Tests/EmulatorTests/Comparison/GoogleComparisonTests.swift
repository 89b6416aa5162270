import Emulator
import Firestore
import Fixtures
import HTTP
import Testing

/// The same documents and queries, put to our server and to Google's emulator.
@Suite(.enabled(if: GoogleEmulator.isInstalled, Comment(rawValue: GoogleEmulator.absence)))
struct GoogleComparisonTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `random queries answer the same documents in the same order`(seed: UInt64) async throws {
    let project = "random-\(seed)"
    let google = RESTClient(address: try await GoogleEmulator.shared().address, project: project)
    let server = try await EmulatorServer.start()
    let ours = RESTClient(address: server.address, project: project)
    var random = RandomQueries(seed: seed, root: ours.root)
    let documents = random.documents(60)
    #expect(try await google.put(documents).status == 200)
    #expect(try await ours.put(documents).status == 200)
    for number in 0..<120 {
      let query = random.query()
      let expected = try await google.query(query)
      let answer = try await ours.query(query)
      let text = String(decoding: query.json.serialized(), as: UTF8.self)
      #expect(
        answer.status == expected.status,
        "seed \(seed), query \(number): \(text) \(expected.text.prefix(300)) \(answer.text.prefix(300))"
      )
      guard expected.status == 200, answer.status == 200 else { continue }
      #expect(try answer.ids == expected.ids, "seed \(seed), query \(number): \(text)")
    }
    try await server.stop()
  }
}
