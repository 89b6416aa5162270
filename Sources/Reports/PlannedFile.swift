/// A file that is to be written, whose bytes are made when they are asked for.
package struct PlannedFile: Sendable {
  enum Content: Sendable {
    case one(Report)
    case together([Report])
  }

  /// `usage.html`; no folder.
  package let name: String
  package let format: ReportFormat
  let content: Content

  /// The file as it stands at a place: only the links of a page depend on it.
  package func bytes(in layout: PageLayout) throws(ReportsError) -> [UInt8] {
    switch (format, content) {
    case (.html, .one(let report)): try HTMLWriter.bytes(of: report, in: layout)
    case (.html, .together(let reports)): try HTMLWriter.bytes(of: reports, in: layout)
    case (.text, .one(let report)): TextWriter.bytes(of: report, in: layout)
    case (.text, .together(let reports)): TextWriter.bytes(of: reports, in: layout)
    case (.json, .one(let report)): try JSONWriter.bytes(of: report)
    case (.json, .together(let reports)): try JSONWriter.bytes(of: reports)
    case (.csv, .one(let report)): CSVWriter.bytes(of: report)
    case (.csv, .together(let reports)): CSVWriter.bytes(of: reports)
    }
  }
}
