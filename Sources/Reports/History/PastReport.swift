import Foundation
package import Model

/// What a dated copy keeps of its reports for comparison with later ones: `summary.json`.
///
/// docs/reports.md#history describes the file.
package struct PastReport: Hashable, Codable, Sendable {
  /// Raise the number when an older program would misread the file.
  static let currentSchema = 1
  package static let fileName = "summary.json"

  static let wholeCoverage = "whole"

  private var schema = PastReport.currentSchema
  package var writtenAt: Instant
  package var timeZone: String
  package var start: Instant
  package var end: Instant
  /// The number of days that the period touched.
  package var dayCount: Int
  /// The person whose events were counted; nil for everybody.
  package var scope: String?
  /// `all` when all were counted together; nil in a copy of a version that did not note it.
  package var platform: String?
  package var isAnonymous: Bool
  /// `wholeCoverage` when all events of the period up to then were known, else why not; nil in a
  /// copy of a version that did not note it.
  package var coverage: String?
  /// Nil when the copy has no pages.
  package var firstPage: FirstPage?
  package var figures: [PastFigure]
  package var findings: [PastFinding]

  /// Whether all events of the period were known, as far as the copy says.
  var knowsEvents: Bool { coverage.map { $0 == Self.wholeCoverage } ?? true }

  /// Takes all reports of one moment, nil without reports; `firstPage` is nil when the copy has no
  /// pages.
  package init?(of reports: [Report], firstPage: FirstPage?) {
    guard let context = reports.first?.context else { return nil }
    let calendar = ReportCalendar(timeZone: context.timeZone)
    writtenAt = context.now
    timeZone = context.timeZone
    start = context.start
    end = context.end
    dayCount = calendar.days(from: context.start, to: context.end).count
    scope = context.scope
    platform = context.platform ?? "all"
    isAnonymous = context.isAnonymous
    coverage = context.periodFault.map(ComparisonWords(context).words) ?? Self.wholeCoverage
    self.firstPage = firstPage
    figures = reports.flatMap { report in
      report.headline.compactMap { figure in
        var figure = figure
        figure.report = report.name
        return PastFigure(figure)
      }
    }
    findings = reports.filter { $0.name != .index }.flatMap { report in
      // What is acknowledged is not over.
      (report.findings + report.acknowledged.map(\.finding)).map {
        PastFinding(level: $0.level, sentence: $0.sentence, report: $0.report, subject: $0.subject)
      }
    }
  }

  /// Nil for a file that is cut or altered, or has another schema.
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
}

/// A figure of a dated copy.
package struct PastFigure: Hashable, Codable, Sendable {
  package var report: Report.Name
  package var id: String
  package var label: String
  package var value: PastValue
  /// Whether it is counted from events; nil in a copy of a version that did not note it.
  package var isOfEvents: Bool?
}

extension PastFigure {
  /// Nil for a figure without a report, or whose value no copy keeps, such as an age.
  package init?(_ figure: Figure) {
    guard let report = figure.report, let value = PastValue(figure.value) else { return nil }
    self.init(
      report: report, id: figure.id, label: figure.label, value: value,
      isOfEvents: figure.isOfEvents)
  }
}

/// A finding of a dated copy.
package struct PastFinding: Hashable, Codable, Sendable {
  package var level: Level
  package var sentence: String
  package var report: Report.Name
  /// What identifies the finding; nil when its sentence does.
  package var subject: String?
}

/// The number of a past figure.
package enum PastValue: Hashable, Codable, Sendable {
  case count(number: Int)
  case ratio(part: Int, whole: Int)
  case mean(total: Int, count: Int)
  case money(amount: Double, currency: String)

  /// Nil for any other cell.
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

  /// Whether a report can hold the number; a file may hold any.
  var isPossible: Bool {
    switch self {
    case .count(let number): Self.counts.contains(number)
    case .ratio(let part, let whole): Self.counts.contains(part) && Self.counts.contains(whole)
    case .mean(let total, let count): Self.counts.contains(total) && Self.counts.contains(count)
    case .money(let amount, _): amount.magnitude <= Double(Self.counts.upperBound)
    }
  }

  /// The integers that a double holds exactly.
  private static let counts = 0...(1 << 53)

  package var cell: Cell {
    switch self {
    case .count(let number): .count(number)
    case .ratio(let part, let whole): .ratio(Ratio(part, of: whole))
    case .mean(let total, let count): .mean(Mean(total: total, count: count))
    case .money(let amount, let currency): .money(amount, currency: currency)
    }
  }
}

/// The first page of a day's reports.
package enum FirstPage: String, Codable, Sendable {
  case index
  /// All reports in one file.
  case report
}
