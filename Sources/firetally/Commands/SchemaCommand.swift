import ArgumentParser
import Model
import ReportWriters
import Store

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Describe the database: every table, view and column with its meaning and unit.",
    discussion: """
      Describes the workspace's database with the tables of collections, or a new database if \
      there is none. Then come the relations that queries of reports read. (For the keys of YAML \
      files, see `firetally config schema`.)
      """,
    examples: [
      "firetally schema", "firetally schema events --json", "firetally schema person",
      "firetally schema --markdown",
      "firetally schema --dot | dot -Tsvg > schema.svg", "firetally schema --reports",
      "firetally schema --findings",
    ])

  enum Form: String, EnumerableFlag {
    case markdown, dot, reports, findings

    static func help(for form: Form) -> ArgumentHelp? {
      switch form {
      case .markdown: "Print a page in Markdown."
      case .dot: "Print a graph of tables and references for Graphviz."
      case .reports: "Print the JSON Schema of the reports in JSON instead."
      case .findings: "Print the JSON Schema of findings.json instead."
      }
    }

    /// The JSON Schema of files that Firetally writes; nil for formats of the database's schema.
    var fileSchema: String? {
      switch self {
      case .markdown, .dot: nil
      case .reports: ReportSchema.text
      case .findings: ReportSchema.findingsText
      }
    }
  }

  @Argument(
    help: "Only these tables, views and relations. Default: all.",
    completion: NameCompletion.tables)
  var names: [String] = []

  @Flag(exclusivity: .exclusive)
  var form: Form?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard form?.fileSchema != nil, !names.isEmpty else { return }
    throw ValidationError(
      "--reports and --findings print one schema of a kind of file: leave out the tables.")
  }

  func run() throws {
    let invocation = Invocation(global)
    if let schema = form?.fileSchema { return invocation.output.write(Array(schema.utf8)) }
    let store = try invocation.openWorkspace().readStoreOrEmpty()
    let all = try store.read { try $0.describedTables() + $0.describedRelations() }
    for name in names where !all.contains(where: { $0.isCalled(name) }) {
      throw CommandError.noSuchTable(name, known: all.map(\.name))
    }
    // The page and the graph show only the database's own tables and views.
    let tables = all.filter { table in
      names.isEmpty
        ? form == nil || table.kind != .relation : names.contains(where: table.isCalled)
    }
    let page = SchemaPage(tables: tables)
    switch form {
    case .markdown: invocation.output.write(Array(page.markdown.utf8))
    case .dot: invocation.output.write(Array(page.graph.utf8))
    case .reports, .findings: break
    case nil where invocation.output.isJSON:
      for table in tables {
        try invocation.output.print(json: ["message_type": "table", "table": table])
      }
    case nil: invocation.output.print(page.text)
    }
  }
}

extension DescribedTable {
  fileprivate func isCalled(_ name: String) -> Bool { self.name.lowercased() == name.lowercased() }
}

/// The tables of a database as text, Markdown or a graph.
struct SchemaPage {
  let tables: [DescribedTable]

  var text: String {
    tables.map { table in
      var columns = TextTable(["COLUMN", "TYPE", "MEANING"])
      for column in table.columns { columns.add([column.name, column.note, column.meaning]) }
      return "\(table.name) (\(table.kind.rawValue)): \(table.meaning)\n\(columns.text)"
    }.joined(separator: "\n\n")
  }

  /// The page in Markdown: tables first, then views and relations.
  var markdown: String {
    let parts = [DescribedTable.Kind.table, .view, .relation].flatMap { kind in
      tables.filter { $0.kind == kind }.map(Self.section)
    }
    return """
      # The database, table by table

      Printed by `firetally schema --markdown`. Times are in UTC. [Export](export.md) says how to read
      the database with other programs.


      """ + parts.joined(separator: "\n")
  }

  /// Returns a section; for a view, only with the columns that its table lacks.
  private static func section(of table: DescribedTable) -> String {
    let shown = table.columns.filter { table.base == nil || $0.type.isEmpty }
    let rows = shown.map { column in
      "| `\(column.name)` | \(column.note) | \(escaped(column.meaning)) |\n"
    }
    return """
      ## \(table.name)

      \(escaped(table.meaning))

      | column | type | meaning |
      |---|---|---|

      """ + rows.joined()
  }

  private static func escaped(_ text: String) -> String {
    text.replacingScalars("|", with: "\\|").replacingScalars("\n", with: " ")
  }

  /// A Graphviz graph: a box for each table, an arrow for each reference.
  var graph: String {
    var lines = ["digraph schema {", "  rankdir=LR;", "  node [shape=record];"]
    for table in tables where table.kind == .table {
      let fields = table.columns.map { "<\($0.name)> \($0.name)\\l" }.joined(separator: "|")
      let label = "\(table.name)|\(fields)".replacingScalars("\"", with: "\\\"")
      lines.append("  \(table.name.quoted) [label=\"\(label)\"];")
      for column in table.columns {
        guard let target = column.reference?.split(separator: ".", maxSplits: 1), target.count == 2
        else { continue }
        lines.append(
          "  \(table.name.quoted):\(column.name.quoted) -> "
            + "\(String(target[0]).quoted):\(String(target[1]).quoted);")
      }
    }
    return lines.joined(separator: "\n") + "\n}\n"
  }
}

extension DescribedColumn {
  /// The type, and the other properties of the declaration.
  fileprivate var note: String {
    [type, isKey ? "key" : "", isOptional || isKey ? "" : "not null"]
      .filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
