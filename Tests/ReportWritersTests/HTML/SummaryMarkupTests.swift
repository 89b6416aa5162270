import Foundation
import ReportsTesting
import Testing

@testable import Model
@testable import ReportWriters
@testable import Reports

/// The summary as the HTML of a mail: docs/summary.md#html.
struct SummaryMarkupTests {
  private func html(_ change: (inout [Report]) -> Void = { _ in }) throws -> String {
    var reports = SampleReports.reports()
    change(&reports)
    return String(decoding: try ReportSummary(of: reports).html(), as: UTF8.self)
  }

  @Test func `it runs and loads nothing, and has one column`() throws {
    let html = try html()
    for word in ["<script", "http:", "https:", "url(", "src=", "href=", "@import", "<img"] {
      #expect(!html.contains(word), "\(word)")
    }
    #expect(html.contains("prefers-color-scheme:dark"))
  }

  @Test func `it has every finding with what to do next, money, and what was before`() throws {
    let html = try html { reports in
      reports[0].moneySentences = ["The month: 4 new subscribers so far, 9 to 14 by its end."]
      for index in reports.indices { reports[index].findings = [] }
      reports[1].findings = (0..<8).map {
        var finding = Finding(.warn, "Taps fell \($0).", report: .usage, section: "days")
        finding.advice = "Look for release \($0)."
        return finding
      }
    }
    for number in 0..<8 {
      #expect(html.contains("Taps fell \(number)."))
      #expect(html.contains("Next: Look for release \(number)."))
    }
    #expect(html.contains("4 new subscribers so far"))
    #expect(html.contains("+32% from 44") && html.contains("Mean stars"))
  }

  @Test func `hostile words stay text`() throws {
    let html = try html { reports in
      reports[0].context.appName = "<b>&\u{202E}"
      reports[1].findings = [
        Finding(.warn, "</p><script>x</script>", report: .usage, section: "days")
      ]
    }
    #expect(html.contains("&lt;b&gt;&amp;") && !html.contains("<script"))
    #expect(!html.contains("\u{202E}"))
  }
}
