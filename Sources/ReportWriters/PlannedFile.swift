package import Reports

/// A file to write; its bytes are made on demand.
package struct PlannedFile: Sendable {
  enum Content: Sendable {
    case one(Report)
    case together([Report])
    /// The findings of all reports, from the index.
    case findings(Report)
  }

  /// For example `usage.html`, without a folder.
  package let name: String
  package let format: ReportFormat
  let content: Content

  /// The file for a layout, which only decides the links of a page.
  package func bytes(in layout: PageLayout) throws(ReportWriterError) -> [UInt8] {
    switch (format, content) {
    case (.html, .one(let report)): try HTMLWriter.bytes(of: report, in: layout)
    case (.html, .together(let reports)): try HTMLWriter.bytes(of: reports, in: layout)
    case (.text, .one(let report)): TextWriter.bytes(of: report, in: layout)
    case (.text, .together(let reports)): TextWriter.bytes(of: reports, in: layout)
    case (.json, .one(let report)): try JSONWriter.bytes(of: report)
    case (.json, .together(let reports)): try JSONWriter.bytes(of: reports)
    case (.csv, .one(let report)): CSVWriter.bytes(of: report)
    case (.csv, .together(let reports)): CSVWriter.bytes(of: reports)
    case (_, .findings(let index)): try FindingsFile.bytes(of: index, in: layout)
    }
  }
}

/// A format of reports, as options name it.
package enum ReportFormat: String, CaseIterable, Sendable {
  case html, text, json, csv

  /// Of its files.
  package var fileExtension: String { self == .text ? "txt" : rawValue }
}

extension ReportSet {
  /// The files of one report that has files of its own, as the list of past reports always has.
  package static func files(of report: Report, in layout: PageLayout) -> [PlannedFile] {
    layout.formats.compactMap { format in
      layout.fileName(of: report.name, format).map {
        PlannedFile(name: $0, format: format, content: .one(report))
      }
    }
  }

  /// The files of the reports in a layout, in the order of the reports, and then the findings of
  /// all.
  package static func plan(of reports: [Report], in layout: PageLayout) -> [PlannedFile] {
    let findings =
      layout.formats.contains(.json)
      ? reports.filter { $0.name == .index }.map {
        PlannedFile(name: FindingsFile.name, format: .json, content: .findings($0))
      } : []
    guard layout.isSingleFile else {
      return reports.flatMap { files(of: $0, in: layout) } + findings
    }
    guard !reports.isEmpty else { return [] }
    let pages = layout.formats.map { format in
      PlannedFile(
        name: "\(PageLayout.singleName).\(format.fileExtension)", format: format,
        content: .together(reports))
    }
    return pages + findings
  }
}

/// An error while a report is written; making reports cannot fail.
package enum ReportWriterError: Error, Hashable, CustomStringConvertible {
  /// libxml2 failed to write, because memory ran out.
  case writerFailed(page: String)
  case notEncodable(page: String, reason: String)

  package var description: String {
    switch self {
    case .writerFailed(let page):
      "The page '\(page)' could not be written because memory ran out; "
        + "free some, or choose a shorter period."
    case .notEncodable(let page, let reason):
      "The report '\(page)' could not be written as JSON: \(reason)."
    }
  }
}
