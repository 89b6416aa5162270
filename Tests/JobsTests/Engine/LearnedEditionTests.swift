import Emulator
import Fixtures
import Model
import Store
import StoreTesting
import SyncTesting
import Testing

@testable import Firestore
@testable import Jobs
@testable import Workspace

/// The edition that a run learns before it reads; see `docs/editions.md#knowing-the-edition`.
@Suite struct LearnedEditionTests {
  private let store: Store

  init() throws {
    store = try Store.inMemory()
  }

  private func firestore(at address: String, claimsDatabase: Bool = true) -> any FirestoreService {
    let access = ServiceAccess(
      project: "demo", caFile: nil, environment: ["FIRESTORE_EMULATOR_HOST": address],
      claimsDatabase: claimsDatabase)
    return LiveFirestore(
      Workspace(root: "/nowhere"), WorkspaceConfig(), store, access, now: { .morning })
  }

  private var stored: KnownDatabase? {
    get throws { try store.read { try KnownDatabase.stored(in: $0) } }
  }

  private func withServer(
    _ edition: FirestoreEdition, _ body: (EmulatorServer) async throws -> Void
  ) async throws {
    let server = try await EmulatorServer.start(edition: edition)
    try await body(server)
    try await server.stop()
  }

  @Test(arguments: FirestoreEdition.allCases)
  func `the first run asks the server once, and stores its answer`(
    edition: FirestoreEdition
  ) async throws {
    try await withServer(edition) { server in
      for _ in 0..<2 {
        let firestore = firestore(at: server.address)
        for _ in 0..<2 {
          let database = try await firestore.database()
          #expect(database.edition == edition)
        }
        let known = await firestore.edition()
        #expect(known == edition)
        #expect(server.requests.count == 1)
      }
      let known = try stored
      #expect(known?.facts.edition == edition)
      #expect(known?.isOwnWord == true && known?.knownAt == .morning)
    }
  }

  @Test(arguments: FirestoreEdition.allCases)
  func `a command that only looks asks as well, and stores nothing`(
    edition: FirestoreEdition
  ) async throws {
    try await withServer(edition) { server in
      let firestore = firestore(at: server.address, claimsDatabase: false)
      let database = try await firestore.database()
      #expect(database.edition == edition)
      let known = try stored
      #expect(known == nil)
    }
  }

  @Test(arguments: FirestoreEdition.allCases)
  func `the target of a load is asked, too`(edition: FirestoreEdition) async throws {
    try await withServer(edition) { server in
      let root = ResourceName(project: "other", database: "d")
      let known = try await firestore(at: server.address).edition(of: root)
      #expect(known == edition)
    }
  }

  @Test(arguments: [
    Fault.status(.notFound), .status(.unimplemented), .status(.permissionDenied),
    .status(.invalidArgument), .status(.failedPrecondition),
  ])
  func `a server that answers with an error counts as Standard`(fault: Fault) async throws {
    try await withServer(.enterprise) { server in
      server.inject(fault, times: 1)
      let firestore = firestore(at: server.address)
      let database = try await firestore.database()
      #expect(database.edition == .standard)
      let (known, kept) = (await firestore.edition(), try stored)
      #expect(known == nil && kept == nil)
      // It is not asked again before the next run.
      _ = try await firestore.database()
      #expect(server.requests.count == 1)
    }
  }

  @Test(.enabled(if: GoogleEmulator.isInstalled, Comment(rawValue: GoogleEmulator.absence)))
  func `Google's emulator counts as Standard`() async throws {
    let firestore = firestore(at: try await GoogleEmulator.shared().address)
    let database = try await firestore.database()
    #expect(database.edition == .standard)
    #expect(try await firestore.edition(of: database.root) == nil)
    #expect(try stored == nil)
    #expect(try await database.documents(at: ["Users/a"]).isEmpty)
  }
}
