import Testing

struct ManifestTests {
  private let text = """
    module("Model", []),
    module(
      "Jobs",
      [
        "Model", "HTTP",
        yams,
      ]),
    module("Store", ["Model"] + grdb),
    """

  @Test func `the dependencies of a module are read, one a line or not`() {
    #expect(Manifest.dependencies(of: "Model", in: text) == [])
    #expect(Manifest.dependencies(of: "Jobs", in: text) == ["Model", "HTTP"])
    #expect(Manifest.dependencies(of: "Store", in: text) == ["Model"])
    #expect(Manifest.dependencies(of: "Attic", in: text) == nil)
  }
}
