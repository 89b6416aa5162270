import Testing

@testable import Model

/// What becomes of a day that comes again: docs/events.md#days-that-come-again.
@Suite struct ExportDayRuleTests {
  private func piece(
    _ path: String, _ digest: Int64 = 1, streams: Set<String> = ["1"], id: Int64 = 0,
    _ state: ExportPiece.State = .stored
  ) -> ExportPiece {
    let name = ExportFileName(path: path)
    var piece = ExportPiece(path, version: "\(digest)", name: name, day: name.day ?? 20_261_127)
    piece.id = id
    piece.state = state
    piece.rows.streams = streams
    piece.rows.digest = digest
    return piece
  }

  private func decision(
    _ files: ExportPiece..., among pieces: ExportPiece..., present: Set<String> = []
  ) -> ExportDayRule.Decision {
    ExportDayRule.decision(for: files, among: pieces, present: present)
  }

  private static let daily = "/x/events_20261127.ndjson"
  private static let intraday = "/x/events_intraday_20261127.ndjson"
  private static let fresh = "/x/events_fresh_20261127.ndjson"
  private static let part = (0...2).map { "/x/events_20261127-00000000000\($0).ndjson" }
  private static let parts: Set<String> = ["-000000000000", "-000000000001", "-000000000002"]

  @Test func `daily wins over fresh, fresh over intraday, whichever comes first`() {
    let order = [Self.intraday, Self.fresh, Self.daily]
    for (low, high) in [(0, 1), (0, 2), (1, 2)] {
      #expect(
        decision(piece(order[high], 2), among: piece(order[low], id: 7)) == .replace([7]))
      let winner = ExportFileName(path: order[high]).table
      #expect(decision(piece(order[low], 2), among: piece(order[high])) == .leaveOut(winner))
    }
  }

  @Test func `a table that comes again replaces itself when its rows differ`() {
    #expect(decision(piece(Self.daily, 2), among: piece(Self.daily, id: 7)) == .replace([7]))
    #expect(decision(piece(Self.daily), among: piece(Self.daily, id: 7)) == .add)
    #expect(decision(piece(Self.daily, 2), among: piece(Self.daily, id: 7, .replaced)) == .add)
    #expect(decision(piece(Self.daily, 2), among: piece(Self.daily, id: 7, .waiting)) == .add)
  }

  @Test func `streams tell properties apart, and without them folders do`() {
    let elsewhere = "/y/events_20261127.ndjson"
    let known = piece(Self.daily, streams: ["1", "2"], id: 7)
    #expect(decision(piece(elsewhere, 2, streams: ["2", "3"]), among: known) == .replace([7]))
    #expect(decision(piece(Self.daily, 2, streams: ["3"]), among: known) == .add)
    #expect(decision(piece(elsewhere, 2, streams: []), among: known) == .add)
    #expect(decision(piece(Self.daily, 2, streams: []), among: known) == .replace([7]))
  }

  @Test func `files of one export add up, and replace it once all have come`() {
    let known = [piece(Self.part[0], id: 7), piece(Self.part[1], id: 8)]
    func decide(_ files: [ExportPiece], _ present: Set<String>) -> ExportDayRule.Decision {
      ExportDayRule.decision(for: files, among: known, present: present)
    }
    #expect(decide([piece(Self.part[2])], Self.parts) == .add)
    let renewed = [0, 1, 2].map { piece(Self.part[$0], 2) }
    let two = Self.parts.subtracting(["-000000000002"])
    #expect(decide([renewed[0]], two) == .wait(missing: 1))
    #expect(decide([renewed[1]], two) == .wait(missing: 1))
    #expect(decide(Array(renewed[0...1]), two) == .replace([7, 8]))
    #expect(decide(Array(renewed[0...1]), Self.parts) == .wait(missing: 1))
    #expect(decide(renewed, Self.parts) == .replace([7, 8]))
    // A file of the earlier export that is gone is not waited for, one that is left out is.
    #expect(decide([renewed[0]], ["-000000000000"]) == .replace([7, 8]))
    #expect(decide([renewed[0], renewed[2]], []) == .wait(missing: 1))
  }

  @Test func `a whole table and its numbered files are two exports`() {
    #expect(
      decision(piece(Self.daily, 2), among: piece(Self.part[0], id: 7), piece(Self.part[1], id: 8))
        == .replace([7, 8]))
    #expect(decision(piece(Self.part[0], 2), among: piece(Self.daily, id: 7)) == .replace([7]))
    // Another ending may be a part as well as a correction.
    #expect(
      decision(piece("/x/events_20261127-v2.ndjson", 2), among: piece(Self.daily, id: 7)) == .add)
  }

  @Test func `a file of no known table replaces nothing and is replaced by nothing`() {
    #expect(decision(piece("/x/a.ndjson", 2), among: piece(Self.daily, id: 7)) == .add)
    #expect(decision(piece(Self.daily, 2), among: piece("/x/a.ndjson", id: 7)) == .add)
  }

  @Test(arguments: [
    (100, 90, false), (100, 89, true), (109, 99, false), (109, 98, true), (10, 9, false),
    (10, 8, true), (1, 0, false), (2, 0, true), (0, 0, false), (100, 103, false), (100, 50, true),
  ])
  func `an export may lack a tenth of the rows, or one`(before: Int, now: Int, isTooShort: Bool) {
    #expect(ExportDayRule.isTooShort(now, before: before) == isTooShort)
  }
}
