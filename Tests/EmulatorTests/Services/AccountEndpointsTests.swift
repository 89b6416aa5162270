import Emulator
import Firestore
import HTTP
import Testing

/// Identity Toolkit's accounts, as the embedded server lists them.
@Suite struct AccountEndpointsTests {
  private static let path = "/identitytoolkit.googleapis.com/v1/projects/demo/accounts:batchGet"

  private func run(_ body: (EmulatorServer, RESTClient) async throws -> Void) async throws {
    let server = try await EmulatorServer.start()
    server.accounts.seed(
      (0..<25).map { .object(["localId": .string("u\($0 + 100)")]) }, project: "demo")
    try await body(server, RESTClient(address: server.address))
    try await server.stop()
  }

  @Test(arguments: [
    ("", 20), ("?maxResults=0", 20), ("?maxResults=1", 1), ("?maxResults=25", 25),
    ("?maxResults=26", 25), ("?maxResults=1000", 25), ("?maxResults=5000", 25),
    ("?nextPageToken=u123", 1), ("?nextPageToken=u124", 0), ("?nextPageToken=", 20),
  ])
  func `a page has as many accounts as are asked for, 20 unless told`(
    query: String, count: Int
  ) async throws {
    try await run { _, client in
      let reply = try await client.sendAbsolute(.get, Self.path + query)
      #expect(reply.status == 200)
      let json = try reply.json
      #expect(json["kind"] == .string("identitytoolkit#DownloadAccountResponse"))
      #expect(try json["users"]?.elements().count ?? 0 == count)
      if count == 0 { #expect(json["users"] == nil) }
    }
  }

  @Test func `a full page has a token also when nothing follows`() async throws {
    try await run { _, client in
      let full = try await client.sendAbsolute(.get, Self.path + "?maxResults=25").json
      #expect(full["nextPageToken"] == .string("u124"))
      let part = try await client.sendAbsolute(.get, Self.path + "?maxResults=26").json
      #expect(part["nextPageToken"] == nil)
    }
  }

  @Test(arguments: ["-1", "many", "1.5"])
  func `a number of results that is none is refused`(number: String) async throws {
    try await run { _, client in
      let reply = try await client.sendAbsolute(.get, Self.path + "?maxResults=\(number)")
      #expect(try reply.status == 400 && reply.errorStatus == "INVALID_ARGUMENT")
    }
  }

  @Test func `who shows no token is refused, and other projects have their own accounts`()
    async throws
  {
    try await run { server, client in
      let response = try await HTTPClient().send(
        HTTPRequest(.get, "http://\(server.address)\(Self.path)"))
      #expect(response.status == 401)
      #expect(String(decoding: response.body, as: UTF8.self).contains("UNAUTHENTICATED"))
      let other = Self.path.replacing("/demo/", with: "/other/")
      #expect(try await client.sendAbsolute(.get, other).json["users"] == nil)
      let nobody = Self.path.replacing("/demo/", with: "//")
      #expect(try await client.sendAbsolute(.get, nobody).status == 400)
      #expect(try await client.sendAbsolute(.post, Self.path, "{}").status == 404)
    }
  }

  @Test func `a wiped project has no accounts`() async throws {
    try await run { server, client in
      let reply = try await client.sendAbsolute(.delete, "/emulator/v1/projects/demo/accounts")
      #expect(reply.status == 200 && server.accounts.count(project: "demo") == 0)
    }
  }
}
