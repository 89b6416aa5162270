import Testing

@testable import Reports

@Suite struct MarkDrawingTests {
  private func labels(_ places: Double..., from first: Int = 1) -> [String] {
    let marks = places.enumerated().map { (number: first + $0.offset, place: $0.element) }
    return MarkLabel.all(of: marks).map {
      "\($0.text) at \(($0.middle * 1_000).rounded() / 1_000)"
    }
  }

  @Test func `two digits stand apart from six hundredths of the width on`() {
    #expect(labels(0.1, 0.161) == ["1 at 0.1", "2 at 0.161"])
    #expect(labels(0.1, 0.159) == ["1–2 at 0.13"])
    #expect(labels(0.1, 0.1) == ["1–2 at 0.1"])
  }

  @Test func `longer numbers need more room`() {
    #expect(labels(0.1, 0.174, from: 9) == ["9–10 at 0.137"])
    #expect(labels(0.1, 0.176, from: 9) == ["9 at 0.1", "10 at 0.176"])
  }

  @Test func `a label that grows takes in the one before it`() {
    #expect(labels(0.1, 0.17, 0.19, 0.9) == ["1–3 at 0.145", "4 at 0.9"])
    #expect(labels(0.1, 0.3, 0.32, 0.9) == ["1 at 0.1", "2–3 at 0.31", "4 at 0.9"])
    #expect(labels().isEmpty)
  }
}
