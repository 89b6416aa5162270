import Firestore
import Model
import Store
import Sync

/// The mapping from documents of `Rating_Feedback` to rows of `SyncTable.feedback`;
/// docs/jobs/sync-feedback.md.
///
/// A document needs a text, stars and a time. Other unreadable fields stay empty and are counted.
struct FeedbackMapping: Sendable {
  let scanner: DocumentScanner
  let width = SyncTable.feedback.columns.count
  let orderPosition: Int?
  /// The latest time that can advance the cursor; docs/running.md#times-in-the-future.
  private let latest: Instant

  /// The text fields that a document may lack.
  static let optionalNames = ["userId", "gender", "country", "appVersion"]
  static let names = optionalNames + ["feedback", "timestamp", "rating"]

  static let timeField = FieldPath(segments: ["timestamp"])

  /// 1970-01-01 to 9999-12-31, in unix seconds.
  private static let seconds: ClosedRange<Int64> = 0...253_402_300_799

  init(at now: Instant) {
    latest = now.latestCounted
    scanner = DocumentScanner(fields: Self.names)
    orderPosition = Self.names.firstIndex(of: "timestamp")
  }
}

extension FeedbackMapping: DocumentMapping {
  /// The cell of the user's id, after the path and the document's id.
  var personCells: PersonColumns { .id(2) }

  func add(
    _ document: borrowing ScannedDocument, in page: UnsafeRawBufferPointer,
    to collected: inout MappedRows
  ) {
    let path = KeyMapping.path(of: document.name, in: page)
    let id = KeyMapping.id(of: document.name, in: page)
    let count = Self.optionalNames.count
    let text = Self.text(document.fields[count], in: page)
    let second = Self.second(document.fields[count + 1]) ?? Self.second(of: id, in: page)
    let stars = Self.stars(document.fields[count + 2])
    guard let text, let second, let stars else {
      let time = "timestamp\(document.fields[count + 1].wrongUnit)"
      let bad = text == nil ? "feedback" : second == nil ? time : "rating"
      return collected.skip(
        SkipReason.badField(bad).id, key: UnsafeRawBufferPointer(rebasing: page[path]))
    }
    collected.rows.append(.text(path), from: page)
    collected.rows.append(.text(id), from: page)
    for (position, name) in Self.optionalNames.enumerated() {
      switch document.fields[position] {
      case .string(let range): collected.rows.append(.text(range), from: page)
      case .missing, .null: collected.rows.append(text: "")
      default:
        collected.rows.append(text: "")
        collected.note(name)
      }
    }
    collected.rows.append(.text(text), from: page)
    collected.rows.append(second)
    collected.rows.append(stars)
    collected.rows.append(document.updateTime ?? 0)
  }

  /// Returns a document's time, from a timestamp or unix seconds; nil for a future time.
  ///
  /// A cursor at a future time would hide all documents until then.
  func time(of value: Value) -> Timestamp? {
    Timestamp(timestampOrSeconds: value).flatMap { time in
      let instant = Instant(time)
      return Self.seconds.contains(instant.unixSeconds) && instant <= latest ? time : nil
    }
  }

  private static func text(_ field: ScannedField, in page: UnsafeRawBufferPointer) -> Range<Int>? {
    guard case .string(let range) = field,
      !String(decoding: page[range], as: UTF8.self).trimmed.isEmpty
    else { return nil }
    return range
  }

  private static func second(_ field: ScannedField) -> Int64? {
    let second: Int64? =
      switch field {
      case .integer(let second): second
      case .double(let second): Int64(exactly: second.rounded(.down))
      case .timestamp(let microseconds): Instant(microseconds: microseconds).unixSeconds
      default: nil
      }
    return second.flatMap { seconds.contains($0) ? $0 : nil }
  }

  /// Returns the second in the id: that of the feedback, or the next free one.
  private static func second(of id: Range<Int>, in page: UnsafeRawBufferPointer) -> Int64? {
    let digits = page[id]
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let second = Int64(String(decoding: digits, as: UTF8.self)), seconds.contains(second)
    else { return nil }
    return second
  }

  /// 1 to 5; a fraction counts as the nearest star.
  private static func stars(_ field: ScannedField) -> Int64? {
    let rating: Double
    switch field {
    case .integer(let number): rating = Double(number)
    case .double(let number): rating = number
    default: return nil
    }
    return (1...5).contains(rating) ? Int64(rating.rounded()) : nil
  }
}
