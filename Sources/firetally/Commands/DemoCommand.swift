import ArgumentParser
import Emulator
import Foundation
import Jobs
import Model

struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Fill a workspace with a sample app and write its reports.",
    discussion: """
      Starts an embedded Firestore in this process, fills it with a believable app, and runs \
      every job against it over real HTTP. Refuses a workspace with data of a real project, and \
      replaces the data of an earlier demo.

      EXAMPLES:
        firetally demo
        firetally demo --into trial --users 100 --seed 7
      """)

  @OptionGroup var global: GlobalOptions

  @Option(
    help: ArgumentHelp(
      "The workspace to fill. Default: that of -C, else firetally-demo.", valueName: "dir"))
  var into: String?

  @Option(help: "Number of users, 25 to 100000.")
  var users = 500

  @Option(help: "Seed of the sample data: the same seed makes the same app.")
  var seed: UInt64 = 42

  func validate() throws {
    guard into != "" else {
      throw ValidationError("--into needs a folder; leave it out for firetally-demo.")
    }
    guard (25...100_000).contains(users) else {
      throw ValidationError("--users takes 25 to 100000.")
    }
  }

  func run() async throws {
    var options = global
    options.workspace = into ?? global.namedWorkspace ?? "firetally-demo"
    options.project = WorkspaceOrigin.demo.project
    let server = try await EmulatorServer.start(keepsRequests: false)
    var environment = ProgramProcess.current.environment
    environment["FIRESTORE_EMULATOR_HOST"] = server.address
    environment["FIREBASE_AUTH_EMULATOR_HOST"] = server.address
    environment[LiveMoments.addressVariable] = "http://\(server.address)"
    environment["FIRETALLY_MOMENTS_TOKEN"] = "demo"
    environment[LiveReviews.addressVariable] = "http://\(server.address)"
    let invocation = Invocation(options, environment: environment)
    let demo = Demo(invocation, users: users, seed: seed)
    let (opened, lock) = try await demo.prepareWorkspace()
    defer { lock.release() }
    try demo.sample.serve(from: server, project: WorkspaceOrigin.demo.project)
    Demo.seedMoments(in: server, now: invocation.now)
    server.reviews.publish(SampleReviews.all(seed: seed, now: invocation.now))
    invocation.output.remark("An embedded Firestore serves \(users) users on \(server.address).")
    let reports = try await demo.run(opened)
    try await server.stop()
    let page = "\(opened.workspace.outputFolder)/index.html"
    if !global.json { invocation.output.show("Report:   \(page)") }
    invocation.output.remark("Database: \(opened.workspace.databasePath)")
    guard reports.allSatisfy(\.succeeded) else { throw StatusOnly(status: .failed) }
  }
}
