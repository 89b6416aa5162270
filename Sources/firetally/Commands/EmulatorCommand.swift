import ArgumentParser
import Emulator
import Jobs
import Model

struct EmulatorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "emulator",
    abstract: "Serve an embedded Firestore, for tests and trials.",
    discussion: """
      Speaks Firestore's REST v1 on the loopback address until it is interrupted, and keeps its \
      documents in memory. Point any client at it with FIRESTORE_EMULATOR_HOST. The same \
      address serves a moments service at /moments, which accepts any token.
      """)

  @OptionGroup var global: GlobalOptions

  @Option(help: "The port; 0 takes a free one.")
  var port = 8080

  @Option(help: "Made-up users to begin with; 0 begins empty.")
  var users = 500

  @Option(help: "The same seed makes the same users.")
  var seed: UInt64 = 42

  @Option(
    help: ArgumentHelp(
      "A user whom the moments service takes for a subscriber; may be given again.",
      valueName: "user-id"))
  var premium: [String] = []

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port takes 0 to 65535.") }
    guard (0...1_000_000).contains(users) else {
      throw ValidationError("--users takes 0 to 1000000.")
    }
  }

  func run() async throws {
    let invocation = Invocation(global)
    let server = try await EmulatorServer.start(port: port, keepsRequests: false)
    for user in premium { server.moments.setPremium(true, userId: user) }
    let project = global.project ?? WorkspaceOrigin.demo.project
    if users > 0 {
      let sample = SampleApp(users: users, seed: seed, now: invocation.now)
      try sample.serve(from: server, project: project)
      server.reviews.publish(SampleReviews.all(seed: seed, now: invocation.now))
    }
    let output = invocation.output
    if output.isJSON {
      try output.show(json: Line(host: server.address, project: project))
    } else {
      output.show(
        "export FIRESTORE_EMULATOR_HOST=\(server.address) GOOGLE_CLOUD_PROJECT=\(project)")
      output.show(
        "export \(MomentsAccess.addressVariable)=http://\(server.address) "
          + "FIRETALLY_MOMENTS_TOKEN=emulator")
      output.show("export \(ReviewsAccess.addressVariable)=http://\(server.address)")
      output.remark("Serving until interrupted (Ctrl-C).")
    }
    // Sleeps until the task is cancelled by a signal.
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
    try await server.stop()
  }

  private struct Line: Encodable {
    let message_type = "emulator"
    let host: String
    let project: String
  }
}

extension SampleApp {
  /// Puts the sample's documents into the server, as documents of the project.
  func serve(from server: EmulatorServer, project: String) throws {
    try server.documents.seed(documents(in: "projects/\(project)/databases/(default)"))
  }
}
