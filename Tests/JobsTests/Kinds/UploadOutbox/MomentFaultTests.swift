import Emulator
import Firestore
import Fixtures
import JobsTesting
import Model
import Store
import SyncTesting
import Testing

@testable import Jobs
@testable import Sync

/// Deliveries of moments that fail at every step, before the service acted and after it.
@Suite struct MomentFaultTests {
  private static let faults: [Fault] = [
    .drop, .lostAnswer, .cut(afterBytes: 1), .garbage(), .status(.unavailable),
    .status(.resourceExhausted), .status(.internal),
  ]

  /// Five moments of which the service takes three on the first day.
  private func finish(_ moments: TestMoments) async throws {
    for day in 1...3 {
      _ = try await moments.upload(at: .morning + .seconds(day * 86_400))
    }
  }

  @Test(arguments: 0..<5)
  func `whatever fails wherever, the service has every client id once`(step: Int) async throws {
    for fault in Self.faults {
      let moments = try await TestMoments()
      let ids = try moments.enqueue(1...5)
      moments.server.inject(fault, after: step)
      _ = try await moments.upload()
      try await finish(moments)
      #expect(try moments.states(ids).allSatisfy { $0 == .delivered }, "\(fault)")
      #expect(moments.taken.sorted() == (1...5).map(TestMoments.clientId), "\(fault)")
    }
  }

  @Test
  func `a process that died while sending leaves no moment behind and none twice`() async throws {
    for hadArrived in [false, true] {
      let moments = try await TestMoments()
      let ids = try moments.enqueue(1...2)
      if hadArrived {
        moments.server.inject(.lostAnswer)
        _ = try await moments.upload()
      }
      // As if the process had died at that point.
      try moments.store.write { writer in
        if hadArrived { try writer.requeue(id: ids[0], nextAttemptAt: nil, error: nil) }
        try writer.markSending(id: ids[0], at: .morning)
      }
      _ = try await moments.upload()
      #expect(try moments.states(ids) == [.delivered, .delivered])
      #expect(moments.taken.sorted() == (1...2).map(TestMoments.clientId))
    }
  }

  @Test(arguments: 0..<12)
  func `whatever the order of deliveries, faults and days, each client id arrives once`(
    seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let moments = try await TestMoments()
    var ids: [Int64] = []
    var now = Instant.morning
    for number in 1...9 {
      ids += try moments.enqueue(number...number)
      if Int.random(in: 0..<3, using: &random) > 0 {
        let fault = Self.faults[Int.random(in: 0..<Self.faults.count, using: &random)]
        moments.server.inject(fault, after: Int.random(in: 0..<4, using: &random))
      }
      if Bool.random(using: &random) {
        let zones = ["UTC", "Pacific/Apia", "America/Sao_Paulo"]
        try moments.setProfile { $0.timeZone = zones[number % 3] }
      }
      now = now + .seconds(Int.random(in: -3_600..<100_000, using: &random))
      _ = try await moments.upload(at: now)
      if let sent = ids.randomElement(using: &random), try moments.item(sent).state == .parked {
        try moments.store.write { try $0.retry(id: sent) }
      }
    }
    moments.server.clearFaults()
    for day in 1...8 { _ = try await moments.upload(at: now + .seconds(day * 86_400)) }
    #expect(Set(moments.taken).count == moments.taken.count, "seed \(seed)")
    #expect(moments.taken.sorted() == (1...9).map(TestMoments.clientId), "seed \(seed)")
    #expect(try moments.states(ids).allSatisfy { $0 == .delivered }, "seed \(seed)")
  }
}
