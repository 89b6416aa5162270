/// How much a query may take before it is ended: docs/sql.md#limits.
package struct QueryLimits: Hashable, Sendable {
  /// Time for the whole query; looked at between SQLite's instructions, not inside of a function.
  package var seconds: Double
  package var rows: Int
  /// Whether the rows beyond `rows` are left out; else they are an error.
  package var cutsRows: Bool
  /// Bytes of one value, also of one that is only computed on the way.
  package var valueBytes: Int
  /// Bytes of all values of the result, each with 24 of its own, so that memory stays bounded.
  package var resultBytes: Int
  /// Bytes that SQLite may take beside those that it has when the query begins.
  package var memoryBytes: Int

  package init(
    seconds: Double = 10, rows: Int = 10_000, cutsRows: Bool = false,
    valueBytes: Int = 10_000_000, resultBytes: Int = 64_000_000, memoryBytes: Int = 200_000_000
  ) {
    self.seconds = seconds
    self.rows = rows
    self.cutsRows = cutsRows
    self.valueBytes = valueBytes
    self.resultBytes = resultBytes
    self.memoryBytes = memoryBytes
  }

  /// Those of an export, which hands each row on: docs/export.md#what.
  package static let export = QueryLimits(
    seconds: .infinity, rows: .max, valueBytes: 64_000_000, resultBytes: .max)
}

/// Why a query was refused or ended: docs/sql.md#errors.
package struct QueryProblem: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// The text is empty, or has only comments.
    case noStatement
    case severalStatements
    /// It is no SELECT, or would write.
    case writes
    /// A parameter without a value, as the SQL writes it; `known` are those that have one, sorted.
    case unknownParameter(name: String, known: [String])
    case tooLong(seconds: Double)
    /// It has more rows than this.
    case tooManyRows(Int)
    /// One value has more bytes than this.
    case tooLarge(bytes: Int)
    /// All values together have more bytes than this.
    case tooLargeResult(bytes: Int)
    /// It sorts or groups more than memory and the disk of temporary files hold.
    case noSpace
    /// It needs more memory than this, or than there is.
    case tooMuchMemory(bytes: Int)
    /// SQLite cannot run it, in its own words.
    case wrong(String)
  }

  package let reason: Reason
  /// Where it is in the UTF-8 of the SQL, in bytes; nil when no place is to blame, or known.
  package let offset: Int?

  package init(_ reason: Reason, at offset: Int? = nil) {
    self.reason = reason
    self.offset = offset
  }

  /// Whether SQLite has rolled the snapshot back, with all that was made on it.
  package var endsSnapshot: Bool {
    switch reason {
    case .noSpace, .tooMuchMemory: true
    default: false
    }
  }

  /// The name of the column that SQLite did not find, without its table; nil for another message.
  package static func missingColumn(in message: String) -> String? {
    let start = "no such column: "
    guard message.hasPrefix(start) else { return nil }
    // SQLite adds advice of its own to names in double quotes.
    let name = message.dropFirst(start.count).prefix { !$0.isWhitespace }
    return name.split(separator: ".").last.map(String.init)
  }

  /// The table that is missing by SQLite's message, as the query names it; nil for other messages.
  package static func missingTable(in message: String) -> String? {
    let lead = "no such table: "
    return message.hasPrefix(lead) ? String(message.dropFirst(lead.count)) : nil
  }

  /// Where it is in the text that was run; nil when no place is known.
  package func place(in sql: String) -> QueryPlace? {
    offset.map { QueryPlace(byte: $0, in: sql) }
  }
}

extension QueryProblem: CustomStringConvertible {
  package var description: String {
    switch reason {
    case .noStatement: "There is no query: write one SELECT."
    case .severalStatements:
      "A query is one statement: leave out what comes after the first semicolon."
    case .writes:
      "A query only reads: write one SELECT, WITH ... SELECT or VALUES, or EXPLAIN before one."
    case .unknownParameter(let name, let known):
      "The parameter \(name) has no value. "
        + (known.isEmpty
          ? "Write the value into the query." : "There are \(known.joined(separator: ", ")).")
    case .tooLong(let seconds):
      "The query took longer than \(Self.text(seconds)) and was stopped: let it read fewer rows."
    case .tooManyRows(let most):
      "The query has more than \(most) rows: group them, or add LIMIT."
    case .tooLarge(let most):
      "The query makes a value of more than \(most) bytes: select less, or a part of it."
    case .tooLargeResult(let most):
      "The rows hold more than \(most) bytes: select fewer columns or rows, or write "
        + "them to a file with `firetally export`."
    case .noSpace:
      "The query needs more memory or temporary space than there is: sort or group fewer rows, or "
        + "name a larger disk in SQLITE_TMPDIR."
    case .tooMuchMemory(let most):
      "The query needs more than \(most) bytes of memory, or more than there is: select fewer or "
        + "shorter values in one row."
    case .wrong(let message): "SQLite cannot run the query: \(message)."
    }
  }

  private static func text(_ seconds: Double) -> String {
    Int(exactly: seconds).map { "\($0) s" } ?? "\(seconds) s"
  }
}

/// A place in a text, as editors count.
package struct QueryPlace: Hashable, Sendable {
  /// From 1.
  package let line: Int
  /// The character, from 1.
  package let column: Int
  /// The whole line, without its end.
  package let text: String

  /// The place of a byte of the text's UTF-8; its end for one beyond it.
  package init(byte: Int, in text: String) {
    let bytes = Array(text.utf8)
    let newline = UInt8(ascii: "\n")
    let offset = min(max(0, byte), bytes.count)
    let before = bytes[..<offset]
    let start = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
    let end = bytes[offset...].firstIndex(of: newline) ?? bytes.count
    line = before.count { $0 == newline } + 1
    column = String(decoding: bytes[start..<offset], as: UTF8.self).count + 1
    let whole = String(decoding: bytes[start..<end], as: UTF8.self)
    self.text = whole.hasSuffix("\r") ? String(whole.dropLast()) : whole
  }
}
