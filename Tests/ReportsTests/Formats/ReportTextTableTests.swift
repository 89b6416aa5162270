import Testing

@testable import Reports

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
      columns: [Table.ColumnHead("name", "Name", .leading)]
        + (0..<columns).map { Table.ColumnHead("n\($0)", "Number \($0)") },
      rows: names.map {
        Table.Row([.text($0)] + Array(repeating: .count(1_234_567), count: columns))
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
