/// What the tables of collections hold, in the words of `firetally schema`.
enum CollectionNotes {
  static let columns = [
    "document_path": "Path of the document below the database.",
    "document_id": "Id of the document.",
    "document": "The whole document, as Firestore's JSON with the type of each value.",
    "update_time": "Last change of the document, in microseconds since 1970.",
    "synced_at": "When the row was last written, in microseconds since 1970.",
  ]

  /// Those of a table of earlier versions.
  private static let versionColumns = [
    "valid_from": "Change that made the version, in microseconds since 1970.",
    "valid_to": "Change or deletion that ended it, in microseconds since 1970.",
    "seen_from": "When the version was stored, in microseconds since 1970.",
    "seen_to": "When the next one was stored, in microseconds since 1970.",
    "changed": "JSON list of the columns that the next version changed; NULL: deleted.",
  ]

  /// What a column that every table of this form has means; nil for others.
  static func ownColumn(_ name: String, in table: String) -> String? {
    columns[name] ?? (table.hasSuffix(HistoryTable.name(of: "")) ? versionColumns[name] : nil)
  }

  /// What a table holds whose registration names this source.
  static func table(of source: String) -> String {
    if let table = HistoryTable.table(ofSource: source) {
      return "Earlier versions of the rows of \(table)."
    }
    // A child table's names its parent as well.
    let elements = source.split(separator: ", below the table ")
    guard elements.count > 1, let first = elements.first else {
      return "Documents of \(source), one row each."
    }
    return "\(first.prefix(1).uppercased())\(first.dropFirst()), one row each."
  }

  /// The column that distinguishes the rows of one document in a child table.
  static func position(_ column: String) -> String {
    column == ChildTable.indexColumn ? "Position in the array, from 0." : "Key in the map."
  }

  /// The column of a view that decodes a column of JSON; nil for another column.
  static func decoded(_ column: String) -> String? {
    TimeViews.source(of: column, TimeViews.valueSuffix).map {
      "\($0) without Firestore's type; NULL for arrays, maps and geo points."
    }
  }

  /// The source of a column, from its registration, such as `address.geo REAL as latitude`.
  static func column(filledBy mapping: String) -> String {
    guard mapping != "@deleted" else {
      return "When the document was found to be gone, in microseconds since 1970."
    }
    var words = mapping.split(separator: " ", omittingEmptySubsequences: false)
    let form = words.count > 3 && words[words.count - 2] == "as" ? words.removeLast() : nil
    if form != nil { words.removeLast() }
    let kind = words.popLast() ?? ""
    let source = words.joined(separator: " ")
    let what = part(source) ?? (source == "@value" ? "The element itself" : "The field \(source)")
    return what + (form.flatMap(self.form) ?? self.kind(kind)) + "."
  }

  /// A part of the document other than a field; nil for a field.
  private static func part(_ source: String) -> String? {
    switch source {
    case "@id": return "Id of the document"
    case "@path": return "Path of the document below the database"
    case "@createTime": return "Creation of the document"
    case "@updateTime": return "Last change of the document"
    default:
      guard source.hasPrefix("@parent("), let end = source.firstIndex(of: ")") else { return nil }
      let level = source[..<end].dropFirst("@parent(".count)
      let what = source[end...] == ").id" ? "Id" : "Path below the database"
      return "\(what) of the document above" + (level == "1" ? "" : ", \(level) levels up")
    }
  }

  private static func form(_ form: Substring) -> String? {
    switch form {
    case "micros": ", in microseconds since 1970"
    case "seconds": ", in seconds since 1970"
    case "iso": ", in ISO 8601, UTC"
    case "path": ", as a path below the database"
    case "id": ", as an id"
    case "latitude", "longitude": ", its \(form)"
    default: nil
    }
  }

  private static func kind(_ kind: Substring) -> String {
    switch kind {
    case "JSON": ", as Firestore's JSON with the type of each value"
    case "PLAIN_JSON": ", as plain JSON"
    default: ""
    }
  }
}
