import Testing

@testable import HTTP

@Suite("HTTPTimeouts")
struct HTTPTimeoutsTests {
  @Test(arguments: [
    (Duration.seconds(-1), 1, 1), (.zero, 1, 1), (.microseconds(1), 1, 1),
    (.milliseconds(1), 1, 1), (.milliseconds(999), 999, 1), (.seconds(1), 1_000, 1),
    (.milliseconds(1_001), 1_001, 2), (.seconds(300), 300_000, 300),
  ])
  func `no duration ever means for ever`(duration: Duration, milliseconds: Int, seconds: Int) {
    #expect(duration.curlMilliseconds == milliseconds)
    #expect(duration.curlSeconds == seconds)
  }
}
