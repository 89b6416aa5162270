import Testing

@testable import Firestore

@Suite("Timestamp")
struct TimestampTests {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.999999Z", -1),
      ("2026-01-31T08:00:00Z", 1_769_846_400_000_000),
      ("2024-02-29T12:34:56.789Z", 1_709_210_096_789_000),
      ("2000-12-31T23:59:59.000010Z", 978_307_199_000_010),
      ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
      ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
    ] as [(String, Int64)])
  func `reads and writes RFC 3339`(text: String, microseconds: Int64) {
    #expect(Timestamp(rfc3339: text)?.microseconds == microseconds)
    #expect(Timestamp(microseconds: microseconds).rfc3339 == text)
  }

  @Test(arguments: [
    ("2026-01-31T10:00:00+02:00", "2026-01-31T08:00:00Z"),
    ("2026-01-31T00:30:00-05:30", "2026-01-31T06:00:00Z"),
    ("2026-01-31T08:00:00+00:00", "2026-01-31T08:00:00Z"),
    ("2026-01-31T08:00:00.1Z", "2026-01-31T08:00:00.100Z"),
    ("2026-01-31T08:00:00.123456789Z", "2026-01-31T08:00:00.123456Z"),
    ("1969-12-31T23:59:59.9999999Z", "1969-12-31T23:59:59.999999Z"),
  ])
  func `reads offsets and up to nine digits, dropping what is below a microsecond`(
    text: String, same: String
  ) {
    #expect(Timestamp(rfc3339: text)?.rfc3339 == same)
  }

  @Test(arguments: [
    "", "2026-01-31", "2026-01-31T08:00:00", "2026-01-31t08:00:00z", "2026-01-31 08:00:00Z",
    "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-04-31T00:00:00Z",
    "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-01-00T00:00:00Z",
    "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567890Z", "2026-01-01T00:00:00ZZ",
    "2026-01-01T00:00:00+0200", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00.5",
    "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
    "+026-01-01T00:00:00Z", "２026-01-01T00:00:00Z",
  ])
  func `refuses anything else`(text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  @Test func `every day of four centuries survives a round trip`() throws {
    for day in Int64(-10_000)..<(146_097 - 10_000) {
      let timestamp = Timestamp(microseconds: day * 86_400_000_000)
      try #require(Timestamp(rfc3339: timestamp.rfc3339) == timestamp)
    }
  }
}
