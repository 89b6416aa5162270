import CollectionMapping
import Firestore
import Store
import Sync
import Workspace

/// The columns and child tables that sampled fields suggest; see `docs/inspect.md#drafts`.
struct DraftColumns {
  /// The largest number of columns, which keeps a file readable and within `docs/jobs.md#yaml`.
  static let mostColumns = 200

  /// Lines of the form `name: path TYPE`.
  private(set) var columns: [String] = []
  /// Lines of the form `name: {…}`, one for each child table.
  private(set) var explode: [String] = []
  /// The fields without a column or child table, in the order of their paths.
  private(set) var leftOut: [SampledPath] = []
  /// The fields that are left out because their names suggest a secret, such as `fcmToken`.
  private(set) var secrets: [String] = []
  private var names = DraftNames(
    reserved: SyncTable.ownColumns + SyncTable.rowNumberNames + ["true", "false", "null"])
  private var childNames = DraftNames(reserved: [])

  /// Drafts the most frequent fields first, until the lines fill `room` bytes.
  ///
  /// `table` is the prefix of the names of child tables.
  init(_ profile: CollectionProfile, levels: Int, table: String = "", room: Int = .max) {
    if levels > 1 {
      for level in 1..<levels {
        columns.append("\(names.free("parent\(level)_id")): \"@parent(\(level)).id\"")
      }
    }
    let covered = CoveredPaths(profile)
    let outermost = profile.fields.filter { covered.isOutermost($0) && $0.path.fieldPath != nil }
    secrets = outermost.filter(\.isSecret).compactMap { $0.path.fieldPath?.description }
    let fields = outermost.filter { !$0.isSecret }
    let drafts = fields.map { draft($0, profile, table) }
    let byPresence = fields.indices.sorted {
      (fields[$1].present, $0) < (fields[$0].present, $1)
    }
    var taken: Set<Int> = []
    var count = columns.count
    var size = columns.map(Self.size).reduce(0, +)
    for index in byPresence {
      let draft = drafts[index]
      let bytes = draft.lines.map(Self.size).reduce(0, +)
      guard draft.isChild || count + draft.lines.count <= Self.mostColumns, size + bytes <= room
      else { continue }
      taken.insert(index)
      count += draft.isChild ? 0 : draft.lines.count
      size += bytes
    }
    for index in fields.indices {
      guard taken.contains(index) else {
        leftOut.append(fields[index].path)
        continue
      }
      if drafts[index].isChild {
        explode += drafts[index].lines
      } else {
        columns += drafts[index].lines
      }
      leftOut += drafts[index].unnamed
    }
  }

  /// Returns the bytes of a line in the file, with its indentation and its line end.
  private static func size(_ line: String) -> Int { line.utf8.count + 3 }

  private mutating func draft(
    _ field: SampledField, _ profile: CollectionProfile, _ table: String
  ) -> FieldDraft {
    if let child = ChildTableDraft(field, profile),
      let line = child.line(below: table, &childNames)
    {
      return FieldDraft(lines: [line], isChild: true, unnamed: child.unnamed)
    }
    let path = field.path.description
    let name = field.path.fieldPath?.segments.joined(separator: "_") ?? path
    let text = YAMLText.scalar(path)
    let values =
      switch field.kindsBesidesNull {
      case [.geoPoint]:
        [
          ("\(name)_latitude", "{path: \(text), type: REAL, as: latitude}"),
          ("\(name)_longitude", "{path: \(text), type: REAL, as: longitude}"),
        ]
      case [.timestamp]: [(name, "{path: \(text), type: TEXT, as: iso}")]
      case [.reference]: [(name, "{path: \(text), type: TEXT, as: path}")]
      // Plain JSON is sufficient here: only a mix of several kinds needs type names.
      case [.array], [.map], [.vector]: [(name, YAMLText.scalar("\(path) PLAIN_JSON"))]
      default: [(name, YAMLText.scalar("\(path) \(Self.kind(of: field).rawValue)"))]
      }
    return FieldDraft(lines: values.map { "\(names.free($0.0)): \($0.1)" })
  }

  /// Returns the type that can hold every sampled value; JSON if no other type can.
  static func kind(of field: SampledField) -> MappedColumn.Kind {
    let kinds = field.kindsBesidesNull
    if kinds == [.integer] || kinds == [.boolean] || kinds == [.timestamp] { return .integer }
    if kinds == [.double] || kinds == [.integer, .double] {
      return field.hasUnusualNumber ? .json : .real
    }
    if kinds == [.string] || kinds == [.reference] || kinds == [.string, .reference] {
      return .text
    }
    return kinds == [.bytes] ? .blob : .json
  }
}

extension SampledField {
  /// Words in the names of fields whose values should only be copied on purpose.
  private static let secretWords = [
    "token", "password", "passwd", "secret", "apikey", "privatekey", "credential",
  ]

  /// Whether the field's name suggests a password or a token, such as that of a device, and its
  /// values may be one; a number of tokens is not a secret.
  fileprivate var isSecret: Bool {
    guard case .key(let name)? = path.steps.last,
      !kindsBesidesNull.isDisjoint(with: [.string, .bytes, .array, .map])
    else { return false }
    let letters = name.lowercased().filter(\.isLetter)
    return Self.secretWords.contains(where: letters.contains)
  }
}

/// The fields that are drafted as a whole, in place of the fields inside them.
private struct CoveredPaths {
  /// Fields with any value that is not a map with names as keys.
  private var closed: Set<SampledPath> = []

  init(_ profile: CollectionProfile) {
    let anyKey = Set(
      profile.fields.filter { $0.path.steps.last == .anyKey }
        .map { SampledPath(Array($0.path.steps.dropLast())) })
    let parents = Set(profile.fields.map { SampledPath(Array($0.path.steps.dropLast())) })
    for field in profile.fields
    where field.kindsBesidesNull != [.map] || anyKey.contains(field.path)
      || !parents.contains(field.path)
    {
      closed.insert(field.path)
    }
  }

  /// Whether the field is closed and no field around it is.
  func isOutermost(_ field: SampledField) -> Bool {
    guard closed.contains(field.path) else { return false }
    let steps = field.path.steps
    return !(1..<steps.count).contains { closed.contains(SampledPath(Array(steps.prefix($0)))) }
  }
}

/// The lines that one field needs.
private struct FieldDraft {
  var lines: [String]
  /// Whether the line is that of a child table, rather than of columns.
  var isChild = false
  /// The fields of its elements that have no column.
  var unnamed: [SampledPath] = []
}

/// The names in one table; SQLite ignores their case.
private struct DraftNames {
  /// In lower case.
  let reserved: [String]
  private var taken: Set<String> = []

  init(reserved: [String]) { self.reserved = reserved }

  /// Takes the wanted name as an identifier, with a number if it is taken already, and returns it.
  mutating func free(_ wish: String) -> String {
    var base = MappingReader.identifier(from: wish)
    if base.isEmpty { base = "column" }
    if reserved.contains(base.lowercased()) { base = "field_\(base)" }
    var name = base
    var number = 1
    while !taken.insert(name.lowercased()).inserted {
      number += 1
      name = "\(base.prefix(MappingReader.longestIdentifier - 6))_\(number)"
    }
    return name
  }
}

/// A child table for an array, or for a map with data as keys; see `docs/jobs/sync-collection.md`.
private struct ChildTableDraft {
  private let name: String
  /// `columns: {sku: sku TEXT}`, without the braces of the entry.
  private let content: String
  /// The fields of the elements whose names cannot be columns.
  private(set) var unnamed: [SampledPath] = []

  /// Nil for a field that is not such an array or map, or that YAML keys or tables cannot name.
  init?(_ field: SampledField, _ profile: CollectionProfile) {
    guard field.path.steps.count == 1, case .key(let name)? = field.path.steps.first,
      MappingReader.isIdentifier(name)
    else { return nil }
    self.name = name
    let below = profile.fields.filter {
      $0.path.steps.count > 1 && $0.path.steps.starts(with: field.path.steps)
    }
    let kinds = field.kindsBesidesNull
    if kinds == [.map], let value = below.first(where: { $0.path.steps.dropFirst() == [.anyKey] }) {
      guard let kind = Self.scalarKind(of: value) else { return nil }
      content = "keys: key, column: value \(kind.rawValue)"
      return
    }
    guard kinds == [.array],
      let element = below.first(where: { $0.path.steps.dropFirst() == [.element] })
    else { return nil }
    if let kind = Self.scalarKind(of: element) {
      content = "column: value \(kind.rawValue)"
      return
    }
    guard element.kindsBesidesNull == [.map] else { return nil }
    var names = DraftNames(reserved: [ChildTable.pathColumn, ChildTable.indexColumn, "key"])
    var columns: [String] = []
    for field in below {
      guard field.path.steps.count == 3, field.path.steps[1] == .element,
        case .key(let key) = field.path.steps[2]
      else { continue }
      guard MappingReader.isIdentifier(key) else {
        unnamed.append(field.path)
        continue
      }
      let column = names.free(key)
      columns.append("\(YAMLText.scalar(column)): \(key) \(DraftColumns.kind(of: field).rawValue)")
    }
    guard !columns.isEmpty else { return nil }
    content = "columns: {\(columns.joined(separator: ", "))}"
  }

  /// Returns `items: {columns: {sku: sku TEXT}}`; nil when the table's name would be too long.
  ///
  /// If names differ only by case, the second gets a number and its path.
  func line(below table: String, _ names: inout DraftNames) -> String? {
    let key = names.free(name)
    guard MappingReader.isIdentifier("\(table)_\(key)") else { return nil }
    let path = key == name ? "" : "path: \(name), "
    return "\(key): {\(path)\(content)}"
  }

  /// Returns the type of single values; nil for other values.
  private static func scalarKind(of field: SampledField) -> MappedColumn.Kind? {
    let kinds = field.kindsBesidesNull
    guard !kinds.isEmpty, kinds.isDisjoint(with: [.map, .array, .geoPoint, .vector, .unknown])
    else { return nil }
    return DraftColumns.kind(of: field)
  }
}
