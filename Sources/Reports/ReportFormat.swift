/// A form that reports are written in; the raw value is the file name's ending.
package enum ReportFormat: String, CaseIterable, Codable, Sendable {
  case html
  case text = "txt"
  case json, csv
}
