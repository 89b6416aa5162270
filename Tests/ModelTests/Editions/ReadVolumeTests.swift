import Testing

@testable import Model

@Suite("The worked examples of Google's pricing page")
struct ReadVolumeTests {
  private func units(_ read: (inout ReadVolume) -> Void) -> Int {
    var volume = ReadVolume()
    read(&volume)
    return volume.units
  }

  @Test func `a scan of 100 documents of 1 KiB`() {
    #expect(units { $0.scan(100, bytes: 1_024) } == 25)
  }

  @Test func `a scan of 100 index entries of 128 bytes`() {
    #expect(units { $0.scan(100, bytes: 128) } == 4)
  }

  @Test func `a count of 1,000 documents`() { #expect(units { $0.scan(1_000) } == 8) }

  @Test func `128 documents of 4 KiB by entries of 256 bytes`() {
    let read = units {
      $0.scan(128, bytes: 256)
      $0.look(up: 128, bytes: 4_096)
    }
    #expect(read == 136)
  }

  @Test(arguments: [(1 << 20, 256), (4_097, 2), (4_096, 1), (1_024, 1), (0, 1)])
  func `a document looked up by its name`(bytes: Int, expected: Int) {
    #expect(units { $0.look(up: 1, bytes: bytes) } == expected)
  }

  @Test func `100 small documents looked up by name are a unit each`() {
    #expect(units { $0.look(up: 100, bytes: 1_024) } == 100)
  }

  @Test func `one of 100 documents of 2 KiB, found by an index and by a scan`() {
    let indexed = units {
      $0.scan(bytes: 64)
      $0.look(up: 1, bytes: 2_048)
    }
    #expect(indexed == 2)
    #expect(units { $0.scan(100, bytes: 2_048) } == 50)
  }

  @Test func `nothing is a unit, and an item 32 bytes`() {
    #expect(units { _ in } == 1)
    #expect(units { $0.scan(128, bytes: 31) } == 1)
    #expect(units { $0.scan(129, bytes: 31) } == 2)
    #expect(units { $0.scan(128, bytes: 33) } == 2)
  }
}
