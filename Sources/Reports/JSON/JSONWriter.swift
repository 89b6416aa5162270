import Foundation
import Model

/// A report as JSON: every row, numbers as numbers, instants in UTC: docs/reports.md#formats.
package enum JSONWriter {
  package static func bytes(of report: Report) throws(ReportsError) -> [UInt8] {
    try bytes(of: JSONReport(report), named: report.name.rawValue)
  }

  /// The reports as one object, in their order under `reports`.
  package static func bytes(of reports: [Report]) throws(ReportsError) -> [UInt8] {
    try bytes(of: ["reports": reports.map(JSONReport.init)], named: PageLayout.singleName)
  }

  private static func bytes(
    of value: some Encodable, named name: String
  ) throws(ReportsError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return escaped(try encoder.encode(value)) + [UInt8(ascii: "\n")]
    } catch {
      throw .notEncodable(page: name, reason: "\(error)")
    }
  }

  /// Escapes what acts on a terminal; JSON has such scalars only inside of strings.
  private static func escaped(_ data: Data) -> [UInt8] {
    let text = String(decoding: data, as: UTF8.self)
    guard text.unicodeScalars.contains(where: VisibleText.isReplaced) else { return Array(data) }
    var escaped = ""
    for scalar in text.unicodeScalars {
      guard VisibleText.isReplaced(scalar) else {
        escaped.unicodeScalars.append(scalar)
        continue
      }
      for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
        let digits = String(unit, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return Array(escaped.utf8)
  }
}
