import Testing

@testable import Sync

/// The rule 500/50/5; see `docs/firestore.md#ramp`.
@Suite struct WriteRampTests {
  @Test(arguments: [
    (Duration.zero, 500.0), (.milliseconds(299_999), 500), (.seconds(300), 750),
    (.milliseconds(300_001), 750), (.milliseconds(599_999), 750), (.seconds(600), 1_125),
    (.seconds(899), 1_125), (.seconds(900), 1_687.5), (.seconds(1_200), 2_531.25),
    (.seconds(-1), 500),
  ])
  func `five hundred a second, and half as many more after every five minutes`(
    elapsed: Duration, rate: Double
  ) {
    #expect(WriteRamp.rate(after: elapsed) == rate)
  }

  @Test func `the rate stays a number however long it goes on`() {
    #expect(WriteRamp.rate(after: .seconds(1 << 40)).isFinite)
  }

  @Test(arguments: [(1, 2), (20, 40), (250, 500), (499, 998), (500, 1_000), (501, 1_002)])
  func `what leaves at once makes the next ones wait for its share of a second`(
    count: Int, milliseconds: Int
  ) {
    var ramp = WriteRamp()
    #expect(ramp.pause(before: count, at: .seconds(9)) == .zero)
    var early = ramp
    #expect(ramp.pause(before: 1, at: .seconds(9)) == .milliseconds(milliseconds))
    let free = Duration.seconds(9) + .milliseconds(milliseconds)
    #expect(early.pause(before: 1, at: free - .microseconds(1)) == .microseconds(1))
  }

  @Test(arguments: [40, 41, 100_000])
  func `who comes late waits for nothing, and saves nothing up`(milliseconds: Int) {
    var ramp = WriteRamp()
    _ = ramp.pause(before: 20, at: .zero)
    #expect(ramp.pause(before: 20, at: .milliseconds(milliseconds)) == .zero)
    #expect(ramp.pause(before: 1, at: .milliseconds(milliseconds)) == .milliseconds(40))
  }

  @Test func `the ramp begins with the first write, not with the clock`() {
    var ramp = WriteRamp()
    #expect(ramp.pause(before: 500, at: .seconds(10_000)) == .zero)
    #expect(ramp.pause(before: 1, at: .seconds(10_000)) == .seconds(1))
  }

  @Test
  func `whoever sends as fast as allowed sends 500 in the first second, 750 after 5 minutes`() {
    var ramp = WriteRamp()
    var now = Duration.zero
    var sent: [Int: Int] = [:]
    while now < .seconds(302) {
      now += ramp.pause(before: 20, at: now)
      sent[Int(now.components.seconds), default: 0] += 20
    }
    #expect(sent[0] == 500)
    #expect(sent[299] == 500)
    #expect((740...760).contains(sent[300] ?? 0))
    #expect((0..<300).allSatisfy { (480...520).contains(sent[$0] ?? 0) })
  }
}
