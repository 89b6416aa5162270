import Foundation
package import Model

/// What a dated copy keeps of its reports, so that later ones can be compared with it.
///
/// It is the copy's `summary.json`: docs/reports.md#history.
package struct PastReport: Hashable, Codable, Sendable {
  package struct Figure: Hashable, Codable, Sendable {
    package var report: Report.Name
    package var id: String
    package var label: String
    package var value: PastValue
  }

  package struct Finding: Hashable, Codable, Sendable {
    package var level: Level
    package var sentence: String
    package var report: Report.Name
    /// What it is about; findings without it are told apart by their sentences.
    package var subject: String?
  }

  /// Raised whenever an older program would misread the file.
  static let currentSchema = 1
  package static let fileName = "summary.json"

  private var schema = PastReport.currentSchema
  package var writtenAt: Instant
  package var timeZone: String
  package var start: Instant
  package var end: Instant
  /// Days that the period touched.
  package var dayCount: Int
  /// Whose events were counted; nil for everybody's.
  package var scope: String?
  package var isAnonymous: Bool
  /// Nil when the copy has no pages.
  package var firstPage: FirstPage?
  package var figures: [Figure]
  package var findings: [Finding]

  /// Takes the reports of one moment; nil without any.
  package init?(of reports: [Report], in layout: PageLayout = .whole) {
    guard let frame = reports.first?.frame else { return nil }
    let calendar = ReportCalendar(timeZone: frame.timeZone)
    writtenAt = frame.now
    timeZone = frame.timeZone
    start = frame.start
    end = frame.end
    dayCount = calendar.days(from: frame.start, to: frame.end).count
    scope = frame.scope
    isAnonymous = frame.isAnonymous
    firstPage =
      layout.fileName(of: .index, .html).map { _ in layout.isSingleFile ? .report : .index }
    figures = reports.flatMap { report in
      report.headline.compactMap { figure in
        PastValue(figure.value).map {
          Figure(report: report.name, id: figure.id, label: figure.label, value: $0)
        }
      }
    }
    findings = reports.filter { $0.name != .index }.flatMap { report in
      report.findings.map {
        Finding(level: $0.level, sentence: $0.sentence, report: $0.report, subject: $0.subject)
      }
    }
  }

  /// Nil for bytes that are cut or altered, or of a program that wrote them otherwise.
  package init?(decoding bytes: [UInt8]) {
    struct Head: Decodable { var schema: Int }
    let decoder = JSONDecoder()
    do {
      let data = Data(bytes)
      guard try decoder.decode(Head.self, from: data).schema == Self.currentSchema else {
        return nil
      }
      self = try decoder.decode(PastReport.self, from: data)
      guard figures.allSatisfy(\.value.isPossible) else { return nil }
    } catch {
      return nil
    }
  }

  package func bytes() throws(ReportsError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    } catch {
      throw .notEncodable(page: Self.fileName, reason: "\(error)")
    }
  }
}

/// The number of a figure as a summary keeps it.
package enum PastValue: Hashable, Codable, Sendable {
  case count(number: Int)
  case ratio(part: Int, whole: Int)
  case mean(total: Int, count: Int)
  case money(amount: Double, currency: String)

  /// Nil for a cell that is no such number.
  init?(_ cell: Cell) {
    switch cell {
    case .count(let count): self = .count(number: count)
    case .ratio(let ratio): self = .ratio(part: ratio.part, whole: ratio.whole)
    case .mean(let mean): self = .mean(total: mean.total, count: mean.count)
    case .money(let amount, let currency) where amount.isFinite:
      self = .money(amount: amount, currency: currency)
    default: return nil
    }
  }

  /// Whether a report can have come to it; a file may say anything.
  var isPossible: Bool {
    switch self {
    case .count(let number): Self.counts.contains(number)
    case .ratio(let part, let whole): Self.counts.contains(part) && Self.counts.contains(whole)
    case .mean(let total, let count): Self.counts.contains(total) && Self.counts.contains(count)
    case .money(let amount, _): amount.magnitude <= Double(Self.counts.upperBound)
    }
  }

  /// As many as a double can count.
  private static let counts = 0...(1 << 53)

  var cell: Cell {
    switch self {
    case .count(let number): .count(number)
    case .ratio(let part, let whole): .ratio(Ratio(part, of: whole))
    case .mean(let total, let count): .mean(Mean(total: total, count: count))
    case .money(let amount, let currency): .money(amount, currency: currency)
    }
  }
}
