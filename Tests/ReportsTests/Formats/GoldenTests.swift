import Foundation
import Testing

@testable import Reports

/// Every format of every report, byte by byte.
@Suite struct GoldenTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Golden/Reports")

  private static let isRecording =
    ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1"

  @Test("the files of the sample are the recorded ones", arguments: ReportFormat.allCases)
  func matches(format: ReportFormat) throws {
    let files = try ReportSet.files(of: SampleReports.reports())
    for file in files where file.name.hasSuffix(".\(format.rawValue)") {
      let url = GoldenTests.folder.appendingPathComponent(file.name)
      if GoldenTests.isRecording {
        try Data(file.bytes).write(to: url)
        Issue.record("recorded \(file.name); run again without RECORD_GOLDEN")
        continue
      }
      let recorded = try Data(contentsOf: url)
      #expect(Data(file.bytes) == recorded, "\(file.name) differs from its golden file")
    }
  }

  @Test("making the reports twice gives the same bytes")
  func isDeterministic() throws {
    let first = try ReportSet.files(of: SampleReports.reports())
    let second = try ReportSet.files(of: SampleReports.reports())
    #expect(first == second)
  }
}
