import Firestore
import Foundation
import Testing

@testable import firetally

/// What commands print with `--json`; docs/commands.md.
struct OutputTests {
  @Test(arguments: [
    ("1", "1"), ("9007199254740993", "9007199254740993"), ("0.1", "0.1"), ("0.000012", "0.000012"),
    ("1e300", "1e+300"), ("1e-200", "1e-200"),
  ])
  func `a number keeps its digits, also one beyond a decimal`(number: String, text: String) throws {
    let bytes = try JSONEncoder().encode([JSON.number(number)])
    #expect(String(decoding: bytes, as: UTF8.self) == "[\(text)]")
  }
}
