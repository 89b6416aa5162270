import Model

/// Writes how numbers are counted: closed until a reader opens it, without a script.
extension HTMLPage {
  /// Definitions, the query and its parameters; nothing on the index, which is one screen.
  func write(_ source: QuerySource?) {
    guard let source, report.name != .index else { return }
    out.element("details", .class("how")) {
      out.element("summary", text: "How is this counted?")
      if !source.definitions.isEmpty { list(source.definitions) }
      query(source)
    }
  }

  /// What figures count, in one list whose terms lead to the sections that have the numbers.
  func definitions(of figures: [Figure]) {
    let defined = figures.filter { $0.definition != nil }
    guard !defined.isEmpty else { return }
    out.element("details", .class("how")) {
      out.element("summary", text: "How is this counted?")
      out.element("dl", .class("definitions")) {
        for figure in defined {
          out.element("div") {
            out.element("dt") { label(of: figure) }
            out.element("dd", text: figure.definition ?? "")
          }
        }
      }
    }
  }

  private func query(_ source: QuerySource) {
    guard let sql = source.sql else {
      return out.element("p", .class("fine"), text: "\(source.name): \(QuerySource.coveredWords)")
    }
    // It scrolls by itself, so the keyboard has to reach it.
    out.element(
      "pre", .plain("tabindex", "0"), .plain("role", "group"),
      .plain("aria-label", "Query \(source.name)")
    ) {
      out.element("code", text: sql)
    }
    out.element("p", .class("fine")) {
      out.text("The query ")
      out.element("code", text: source.name)
      guard !source.parameters.isEmpty else { return out.text(".") }
      out.text(", with \(source.parameterWords).")
    }
  }
}

extension QuerySource {
  static let coveredWords = "the query is left out of anonymous reports, since it may name people."

  /// `:start = 1772409600000000, :time_zone = 'Europe/Berlin'`.
  var parameterWords: String {
    parameters.map { ":\($0.name) = \($0.value.literal)" }.joined(separator: ", ")
  }
}

extension SQLValue {
  /// As SQL writes it.
  var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): "'\(text.replacing("'", with: "''"))'"
    case .blob(let bytes): "x'\(bytes.map(Self.hexadecimal).joined())'"
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
