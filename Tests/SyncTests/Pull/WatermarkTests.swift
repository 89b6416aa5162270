import Firestore
import Fixtures
import Model
import Sync
import Testing

@Suite("How far incremental loads got")
struct WatermarkTests {
  private let field = FieldPath(segments: ["updated_at"])
  private let morning = Timestamp(microseconds: Instant.morning.microseconds)

  private func watermark(
    reached: Timestamp?, overlap: Duration = .seconds(300)
  ) -> Watermark {
    Watermark(
      field: field, overlap: overlap, reached: reached.map { TypedTimes(.timestamp, $0) })
  }

  private func later(_ duration: Duration) -> Timestamp {
    Timestamp(microseconds: morning.microseconds + duration.microseconds)
  }

  private let whole = StructuredQuery(
    from: [.init(collectionId: "Orders")], orderBy: [.init(field: .documentName)])

  @Test func `before the first load ended there is nothing to add to: the query stays as it is`() {
    #expect(watermark(reached: nil).changes(of: whole) == whole)
  }

  @Test
  func `changes are asked for from the overlap before the watermark on, oldest first, by name`() {
    let changes = watermark(reached: morning).changes(of: whole)
    let since = Value.timestamp(later(.seconds(-300)))
    #expect(changes.filter == .field(field, .greaterThanOrEqual, since))
    #expect(changes.orderBy == [.init(field: field), .init(field: .documentName)])
    #expect(changes.from == whole.from)
  }

  @Test func `a filter stays beside the watermark`() {
    var query = whole
    query.filter = .field(FieldPath(segments: ["open"]), .equal, .boolean(true))
    let changes = watermark(reached: morning, overlap: .seconds(1)).changes(of: query)
    let since = Value.timestamp(later(.seconds(-1)))
    #expect(
      changes.filter
        == .composite(
          .and,
          [
            .field(FieldPath(segments: ["open"]), .equal, .boolean(true)),
            .field(field, .greaterThanOrEqual, since),
          ]))
  }

  @Test func `the overlap ends at the first moment that a timestamp can name`() {
    let first = Timestamp(microseconds: -62_135_596_800_000_000)
    for reached in [first, Timestamp(microseconds: first.microseconds + 1)] {
      let changes = watermark(reached: reached).changes(of: whole)
      #expect(changes.filter == .field(field, .greaterThanOrEqual, .timestamp(first)))
    }
    let visible = watermark(reached: morning).visible(of: whole)
    #expect(visible.filter == .field(field, .greaterThanOrEqual, .timestamp(first)))
    #expect(visible.orderBy.isEmpty)
  }

  @Test func `it moves to the highest value that was stored, and never back`() {
    var mark = watermark(reached: nil)
    mark.stored(upTo: TypedTimes(), readTime: later(.seconds(60)))
    #expect(mark.reached == nil)
    mark.stored(upTo: TypedTimes(.timestamp, morning), readTime: later(.seconds(60)))
    #expect(mark.reached?[.timestamp] == morning)
    mark.stored(upTo: TypedTimes(.timestamp, later(.seconds(-1))), readTime: later(.seconds(60)))
    #expect(mark.reached?[.timestamp] == morning)
    mark.stored(upTo: TypedTimes(.timestamp, later(.microseconds(1))), readTime: nil)
    #expect(mark.reached?[.timestamp] == later(.microseconds(1)))
  }

  @Test func `a change that claims to come after the snapshot counts as of the snapshot`() {
    for (lead, expected) in [
      (Duration.microseconds(-1), Duration.microseconds(-1)), (.zero, .zero),
      (.microseconds(1), .zero), (.seconds(86_400 * 36_500), .zero),
    ] {
      var mark = watermark(reached: nil)
      mark.stored(upTo: TypedTimes(.timestamp, later(lead)), readTime: morning)
      #expect(mark.reached?[.timestamp] == later(expected))
    }
  }

  @Test func `each of two types has a position of its own, and one query asks for both`() throws {
    let (early, late) = (later(.seconds(-900)), later(.zero))
    var mark = Watermark(field: field, overlap: .seconds(300), forms: [.unixSeconds, .timestamp])
    mark.stored(upTo: TypedTimes(.timestamp, early), readTime: nil)
    let open = mark.changes(of: whole)
    // No number was met: all of them are new.
    #expect(
      open.filter
        == .composite(
          .or,
          [
            .field(field, .greaterThanOrEqual, .double(-.infinity)),
            .field(field, .greaterThanOrEqual, .timestamp(later(.seconds(-1_200)))),
          ]))
    mark.stored(upTo: TypedTimes(.unixSeconds, late), readTime: morning)
    #expect(mark.reached?[.timestamp] == early)
    let seconds = Instant.morning.unixSeconds - 300
    #expect(
      mark.changes(of: whole).filter
        == .composite(
          .or,
          [
            .field(field, .greaterThanOrEqual, .integer(seconds)),
            .field(field, .greaterThanOrEqual, .timestamp(later(.seconds(-1_200)))),
          ]))
  }
}
