import Fixtures
import Foundation
import Model
import Testing

@Suite struct ProfileLocateTests {
  private static let oslo =
    #"{"geoplugin_request":"203.0.113.7","geoplugin_city":"Oslo","geoplugin_region":"Oslo","#
    + #""geoplugin_countryName":"Norway"}"#

  private func stage(asking server: ScriptedServer) async throws -> FilterStage {
    let stage = try await FilterStage(isLoaded: false)
    try stage.workspace.write(
      "app: {name: ChatHub, bundle_id: com.peppty.ChatApp}\nfirestore: {project: demo}\n"
        + "geo: {base_url: '\(server.url)'}\n", to: "firetally.yml")
    return stage
  }

  @Test
  func `the city that the service names is kept and told; the country is told only`() async throws {
    let server = try ScriptedServer(answers: [.json(Self.oslo)])
    let stage = try await stage(asking: server)
    _ = try await stage.run("profile", "set", "--country", "Sweden")
    let result = try await stage.run("profile", "locate")
    #expect(result.status == 0, "\(result.errors)")
    for text in ["Oslo", "Norway", "203.0.113.7"] { #expect(result.output.contains(text)) }
    #expect(!result.output.contains("city before"))
    #expect(try stage.profile().city == "Oslo")
    #expect(try stage.profile().country == "Sweden")
    #expect(server.requests.map(\.target) == ["/json.gp"])
    let version = ProgramVersion.current
    #expect(server.requests.first?[header: "User-Agent"] == "firetally/\(version) (gzip)")
    #expect(try await stage.run("filter", "set", "--nearby").status == 0)
  }

  @Test func `a city that was set before is replaced, and named`() async throws {
    let server = try ScriptedServer(answers: [.json(Self.oslo)])
    let stage = try await stage(asking: server)
    _ = try await stage.run("profile", "set", "--city", "Bergen")
    let json = try await stage.run("profile", "locate", "--json")
    let line = try #require(try FilterStage.objects(json.output).first)
    #expect(line["message_type"] as? String == "place")
    #expect(line["city"] as? String == "Oslo")
    #expect(line["cityBefore"] as? String == "Bergen")
    #expect(!(try await stage.run("profile", "locate").output.contains("city before")))
    #expect(server.requests.count == 2)
  }

  @Test func `an interrupt while the service is silent ends with 130`() async throws {
    let server = try ScriptedServer(answers: [ScriptedAnswer([.wait(.seconds(60))])])
    let stage = try await stage(asking: server)
    let running = try stage.workspace.start(["profile", "locate"])
    while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    running.process.interrupt()
    let result = try await running.wait()
    #expect(result.status == 130)
    #expect(result.errors == "firetally: Interrupted. Run it again to continue.\n")
  }

  static let answers: [ScriptedAnswer] = [
    .json("<html>"), .json(#"{"geoplugin_city":""}"#), .json(#"{"geoplugin_city":5}"#),
    .json(#"{"geoplugin_city":null}"#), .json(Self.oslo, status: 503),
    .response(200, body: [UInt8](repeating: 0x7B, count: 10 << 20)),
    ScriptedAnswer([.reset]),
  ]

  @Test(arguments: answers.indices)
  func `a hostile answer is an error, and the city stays`(index: Int) async throws {
    let server = try ScriptedServer(answers: [Self.answers[index]])
    let stage = try await stage(asking: server)
    _ = try await stage.run("profile", "set", "--city", "Bergen")
    let result = try await stage.run("profile", "locate")
    #expect(result.status == 69, "\(result.errors)")
    #expect(!server.requests.isEmpty)
    #expect(result.errors.hasPrefix("firetally: "))
    #expect(result.output.isEmpty)
    #expect(try stage.profile().city == "Bergen")
  }
}
