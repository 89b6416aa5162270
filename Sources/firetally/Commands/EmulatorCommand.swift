import ArgumentParser
import CStart
import Emulator
import Firestore
import Jobs
import Model
import Reports
import Workspace

struct EmulatorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "emulator",
    abstract: "Serve an embedded Firestore for tests and trials.",
    discussion: """
      Speaks Firestore's REST v1 on the loopback address until interrupted, and keeps its \
      documents in memory. Point any client at it with FIRESTORE_EMULATOR_HOST. It prints its \
      address once all users are made. Until then it answers 503 with Retry-After.

      The same address serves a moments service at /moments; it accepts any token. For clients \
      with FIREBASE_AUTH_EMULATOR_HOST it lists the accounts of Firebase Authentication.
      """,
    examples: [
      "firetally emulator --port 8080 --users 100",
      "firetally emulator --import data/export --export data/export",
    ])

  @OptionGroup var global: GlobalOptions

  @Option(parsing: .unconditional, help: "The port; 0 picks a free one.")
  var port = 8080

  @Option(
    parsing: .unconditional,
    help: "Number of sample users; 0 starts empty. Default: 500, or 0 with --import.")
  var users: Int?

  @Option(
    name: .customLong("import"),
    help: ArgumentHelp("Start with the documents of a managed export.", valueName: "folder"),
    completion: .directory)
  var importFolder: String?

  @Option(
    name: .customLong("export"),
    help: ArgumentHelp(
      "Write the documents into this folder at the end, as a managed export.",
      valueName: "folder"),
    completion: .directory)
  var exportFolder: String?

  @Option(
    parsing: .unconditional, help: "Seed of the sample data: the same seed makes the same users.")
  var seed: UInt64 = 42

  @Option(
    help: ArgumentHelp(
      "A user that the moments service treats as a subscriber. May be repeated.",
      valueName: "user-id"))
  var premium: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Documents a second that each query gets, to try a slow server. Default: no bound.",
      valueName: "count"))
  var documentsPerSecond: Int?

  @Option(help: "The edition whose rules hold: standard or enterprise.")
  var edition = FirestoreEdition.standard

  func validate() throws {
    guard (documentsPerSecond ?? 1) > 0 else {
      throw ValidationError("--documents-per-second takes 1 or more.")
    }
    try (0...65_535).check(port, "--port")
    try (0...1_000_000).check(sampleUsers, "--users")
  }

  private var sampleUsers: Int { users ?? (importFolder == nil ? 500 : 0) }

  func run() async throws {
    let invocation = Invocation(global)
    let export = try importFolder.map { try ManagedExport.named($0) }
    let users = sampleUsers
    // Creating ten thousand users takes about a second, and clients are asked to wait for that
    // time.
    let server = try await EmulatorServer.start(
      port: port, keepsRequests: false, retryAfterSeconds: min(60, users / 10_000 + 1),
      documentsPerSecond: documentsPerSecond, edition: edition)
    for user in premium { server.moments.setPremium(true, userId: user) }
    let project = global.project ?? export?.root?.project ?? WorkspaceOrigin.demo.project
    let database = ResourceName(project: project, database: export?.root?.database ?? "(default)")
    if let export { try load(export, into: server, project, invocation.output) }
    if users > 0 {
      let sample = SampleApp(users: users, seed: seed, now: invocation.now)
      try sample.serve(from: server, project: project)
      server.reviews.publish(SampleReviews.all(seed: seed, now: invocation.now))
    }
    server.open()
    let output = invocation.output
    if output.isJSON {
      try output.print(
        json: ["message_type": "emulator", "host": server.address, "project": project])
    } else {
      output.print(
        "export FIRESTORE_EMULATOR_HOST=\(server.address) GOOGLE_CLOUD_PROJECT=\(project)")
      output.print("export FIREBASE_AUTH_EMULATOR_HOST=\(server.address)")
      output.print(
        "export \(Services.momentsVariable)=http://\(server.address) "
          + "FIRETALLY_MOMENTS_TOKEN=emulator")
      output.print("export \(Services.reviewsVariable)=http://\(server.address)")
      output.remark("Serving until interrupted (Ctrl-C).")
    }
    // Sleeps until the task is cancelled by a signal.
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
    let reads = NumberWords.counted(server.documents.billedReadCount, edition.billedNoun)
    output.remark("\(reads) served.")
    try await server.stop()
    if let exportFolder { try write(database, of: server, to: exportFolder, output) }
  }

  private func load(
    _ export: ManagedExport, into server: EmulatorServer, _ project: String, _ output: Output
  ) throws {
    do {
      let count = try server.documents.load(export, into: project)
      output.remark("\(NumberWords.counted(count, "document")) imported from \(export.path).")
    } catch let error as ExportError {
      throw WorkspaceError.refused(.badData, error.description)
    }
  }

  private func write(
    _ database: ResourceName, of server: EmulatorServer, to folder: String, _ output: Output
  ) throws {
    // The export runs to its end, regardless of its size: a partial one is useless.
    firetally_lift_limit()
    do {
      let count = try server.documents.export(database, to: folder)
      output.remark("\(NumberWords.counted(count, "document")) exported into \(folder).")
    } catch let error as ExportError {
      throw WorkspaceError.refused(.failed, error.description)
    }
  }
}

extension SampleApp {
  /// Loads the sample's documents into the server, as documents of the project.
  ///
  /// - Throws: `RefusedRequest` for a document that the server refuses.
  func serve(from server: EmulatorServer, project: String) throws {
    let database = "projects/\(project)/databases/(default)"
    try server.documents.seed(documents(in: database) + feedbackDocuments(in: database))
    server.accounts.seed(accounts(), project: project)
  }
}

extension FirestoreEdition: ExpressibleByArgument {}
