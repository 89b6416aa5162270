import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports
@testable import Store

@Suite struct ReportTextTableTests {
  private let words = CellWords(time: TimeWords(context: SampleReports.context))

  private func lines(_ table: Table) -> [String] {
    var sheet = TextSheet()
    ReportTextTable(table, words: words).write(to: &sheet)
    return sheet.lines
  }

  private func table(_ names: [String], columns: Int = 1) -> Table {
    Table(
      id: "t", title: "T",
      columns: [Table.ColumnHead(id: "name", title: "Name", alignment: .leading)]
        + (0..<columns).map { Table.ColumnHead(id: "n\($0)", title: "Number \($0)") },
      rows: names.map {
        Table.Row(cells: [.text($0)] + Array(repeating: .count(1_234_567), count: columns))
      }
    )
  }

  @Test func `columns stay aligned in every script`() {
    let lines = lines(table(["山田 花子", "Ngozi", "محمد", "👩‍👩‍👧 Ana"]))
    #expect(Set(lines.dropFirst(2).map(DisplayWidth.of)).count == 1)
    #expect(lines.dropFirst(2).allSatisfy { $0.hasSuffix("1,234,567") })
  }

  @Test func `a name from the right stays in its column, also where lines begin at the right`() {
    for name in ["محمد", "שלום", "Ana محمد", "ﷺ"] {
      let line = lines(table([name]))[2]
      #expect(line.hasPrefix("\u{200E}\(name)\u{200E} "), "\(name)")
      #expect(line.hasSuffix("  1,234,567"))
    }
    #expect(lines(table(["山田 Ana", "👩‍👩‍👧"])).allSatisfy { !$0.contains("\u{200E}") })
  }

  @Test func `columns of texts are narrowed, columns of numbers never`() {
    let lines = lines(table([String(repeating: "long ", count: 40)], columns: 4))
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= 80 })
    #expect(lines.contains { $0.contains("…") && $0.contains("1,234,567  1,234,567") })
  }

  @Test func `more numbers than a line holds become one line each`() {
    let lines = lines(table(["Ngozi"], columns: 9))
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= 80 })
    #expect(lines.filter { $0.hasSuffix("1,234,567") }.count == 9)
  }

  @Test(arguments: [(79, 1), (80, 1), (81, 2), (400, 6)])
  func `a line that is too long is wrapped below its first word`(length: Int, lines: Int) {
    var sheet = TextSheet()
    sheet.line(
      "  " + String(repeating: "x ", count: (length - 3) / 2) + (length % 2 == 0 ? "yz" : "y"))
    #expect(DisplayWidth.of(sheet.lines.joined()) >= length - 2 * lines - 1)
    #expect(sheet.lines.count == lines)
    #expect(sheet.lines.allSatisfy { $0.hasPrefix("  x") || $0.hasPrefix("  y") })
    #expect(sheet.lines.allSatisfy { DisplayWidth.of($0) <= 80 })
  }

  @Test func `no line of any text has more than 80 columns, whatever the names and periods`() {
    let long = String(repeating: "Very long name ", count: 8)
    var other = SampleReports.context
    other.appName = long
    other.timeZone = "America/Argentina/ComodRivadavia"
    other.scope = long
    var unknown = EmptyReports.usage
    unknown.history = SampleReports.history
    let sets = [
      SampleReports.reports(), EmptyReports.reports, SampleReports.reports(context: other),
      ReportSet.make(
        context: other, usage: unknown, limits: SampleReports.limits,
        ratings: EmptyReports.ratings, users: EmptyReports.users, runs: EmptyReports.runs),
    ]
    for reports in sets {
      var texts = reports.map { ($0.name.rawValue, TextWriter.bytes(of: $0)) }
      texts.append(("summary", Array(ReportSummary(of: reports).text.utf8)))
      for (name, bytes) in texts {
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
          #expect(DisplayWidth.of(String(line)) <= 80, "\(name): \(line)")
        }
      }
    }
  }

  @Test func `words wrap at the width, a long word is cut into lines`() {
    #expect(TextSheet.wrapped("one two three", to: 7) == ["one two", "three"])
    #expect(TextSheet.wrapped("abcdefgh", to: 3) == ["abc", "def", "gh"])
    #expect(TextSheet.wrapped("山田花子", to: 5) == ["山田", "花子"])
    #expect(TextSheet.wrapped("", to: 5).isEmpty)
  }

  @Test func `bars and sparklines show the smallest value, and nothing for 0`() {
    #expect(TextBar.bar(share: 1, width: 4) == "████")
    #expect(TextBar.bar(share: 0.5, width: 4) == "██")
    #expect(TextBar.bar(share: 0.0001, width: 4) == "▏")
    #expect(TextBar.bar(share: 0, width: 4) == "")
    #expect(TextBar.sparkline([0, 1, 2, nil, 8]) == "▁▁▂·█")
    #expect(TextBar.sparkline([0, 0]) == "▁▁")
    #expect(TextBar.sparkline([]) == "")
  }
}
