import Testing

struct ManifestTests {
  private let text = """
    room("Model", []),
    room(
      "Jobs",
      [
        "Model", "Rules",
        yams,
      ]),
    room("Store", ["Model"] + grdb),
    """

  @Test func `a room's dependencies are read, one a line or not`() {
    #expect(Manifest.dependencies(of: "Model", in: text) == [])
    #expect(Manifest.dependencies(of: "Jobs", in: text) == ["Model", "Rules"])
    #expect(Manifest.dependencies(of: "Store", in: text) == ["Model"])
    #expect(Manifest.dependencies(of: "Attic", in: text) == nil)
  }
}
