import Emulator
import Firestore
import Model
import Sync
import SyncTesting
import Testing

@testable import Jobs

/// Accounts over HTTP: the embedded server's pages and errors, as the client reads them.
struct AccountsOverHTTPTests {
  private static func user(_ id: String) -> JSON {
    .object(["localId": .string(id), "createdAt": .string("1616161616161")])
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5])
  func `pages follow each other by id and end`(count: Int) async throws {
    try await withServer { server, client in
      let ids = (0..<count).map { "id-\($0)" }
      server.accounts.seed(ids.map(Self.user), project: "demo")
      server.accounts.seed([Self.user("stranger")], project: "other")
      var found: [String] = []
      var token: String?
      repeat {
        let page = try await client.accounts(after: token, limit: 2)
        #expect(page.accounts.count <= 2)
        found += page.accounts.map(\.uid)
        token = page.nextToken
      } while token != nil
      #expect(found == ids)
      #expect(client.traffic.billedReadCount == 0)
    }
  }

  @Test func `ids that need encoding are good positions`() async throws {
    try await withServer { server, client in
      let ids = ["a&b=c", "a/b", "a+b c", "ü%41"].sorted()
      server.accounts.seed(ids.map(Self.user), project: "demo")
      var found: [String] = []
      var token: String?
      repeat {
        let page = try await client.accounts(after: token, limit: 1)
        found += page.accounts.map(\.uid)
        token = page.nextToken
      } while token != nil
      #expect(found == ids)
    }
  }

  @Test func `a quota is asked for three times, and no project of its own once`() async throws {
    try await withServer { server, client in
      server.inject(
        .status(.invalidArgument, message: "QUOTA_EXCEEDED : Exceeded quota for downloads."),
        times: nil)
      await #expect { try await client.accounts(after: nil, limit: 1) } throws: { error in
        (error as? FirestoreError)?.reason == .rate
      }
      #expect(server.requests.count == 3)
      server.clearFaults()
      server.forgetRequests()
      server.inject(.status(.invalidArgument, message: "CONFIGURATION_NOT_FOUND"), times: nil)
      await #expect { try await client.accounts(after: nil, limit: 1) } throws: { error in
        "\(error)".contains("does not use Firebase Authentication")
      }
      #expect(server.requests.count == 1)
    }
  }

  @Test func `a server that fails for a moment is asked again`() async throws {
    try await withServer { server, client in
      server.accounts.seed([Self.user("a")], project: "demo")
      server.inject(.status(.unavailable, message: "busy"), times: 2)
      let page = try await client.accounts(after: nil, limit: 1)
      #expect(page.accounts.count == 1)
      #expect(client.traffic.retryCount == 2)
    }
  }
}
