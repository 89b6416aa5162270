import Firestore
import Store
import Sync

/// The columns and child tables that sampled fields suggest; see `docs/inspect.md#drafts`.
struct DraftColumns {
  /// Columns in a file at most, which keeps it readable and within `docs/jobs.md#yaml`.
  static let mostColumns = 200

  /// `name: path TYPE`, a line each.
  private(set) var columns: [String] = []
  /// `name: {…}` of each child table, a line each.
  private(set) var explode: [String] = []
  private var names: Set<String> = []

  init(_ profile: CollectionProfile, levels: Int) {
    if levels > 1 {
      for level in 1..<levels { add("parent\(level)_id", "\"@parent(\(level)).id\"") }
    }
    let covered = CoveredPaths(profile)
    for field in profile.fields where covered.isOutermost(field) {
      // What is in no column is in the whole document.
      guard let path = field.path.fieldPath, columns.count < Self.mostColumns else { continue }
      if let child = ChildTableDraft(field, profile) {
        explode.append(child.line)
      } else {
        add(field, path)
      }
    }
  }

  private mutating func add(_ field: SampledField, _ path: FieldPath) {
    let name = path.segments.joined(separator: "_")
    let text = YAMLText.scalar(path.description)
    switch field.kindsBesidesNull {
    case [.geoPoint]:
      add("\(name)_latitude", "{path: \(text), type: REAL, as: latitude}")
      add("\(name)_longitude", "{path: \(text), type: REAL, as: longitude}")
    case [.timestamp]: add(name, "{path: \(text), type: TEXT, as: iso}")
    case [.reference]: add(name, "{path: \(text), type: TEXT, as: path}")
    // Plain JSON tells all of it: several kinds side by side are told apart by types only.
    case [.array], [.map], [.vector]: add(name, YAMLText.scalar("\(path) PLAIN_JSON"))
    default: add(name, YAMLText.scalar("\(path) \(Self.kind(of: field).rawValue)"))
    }
  }

  private mutating func add(_ wish: String, _ value: String) {
    columns.append("\(freeName(wish)): \(value)")
  }

  /// The name, with a number if another column has it already.
  private mutating func freeName(_ wish: String) -> String {
    var base = MappingReader.identifier(from: wish)
    if base.isEmpty { base = "column" }
    let others = SyncTable.ownColumns + SyncTable.rowNumberNames + ["true", "false", "null"]
    if others.contains(base.lowercased()) {
      base = "field_\(base)"
    }
    var name = base
    var number = 1
    while !names.insert(name.lowercased()).inserted {
      number += 1
      name = "\(base.prefix(MappingReader.longestIdentifier - 6))_\(number)"
    }
    return name
  }

  /// The type that takes every sampled value, and JSON where only that does.
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

/// Which fields stand for those below them.
private struct CoveredPaths {
  /// Fields whose values are not all maps with keys that are names.
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

  /// Whether the field is closed, and nothing around it is.
  func isOutermost(_ field: SampledField) -> Bool {
    guard closed.contains(field.path) else { return false }
    let steps = field.path.steps
    return !(1..<steps.count).contains { closed.contains(SampledPath(Array(steps.prefix($0)))) }
  }
}

/// A child table for an array or a map whose keys are data; see `docs/jobs/sync-collection.md`.
struct ChildTableDraft {
  /// `items: {columns: {sku: sku TEXT}}`.
  let line: String

  /// Nil for a field that is no such array or map, or one that YAML keys or tables cannot name.
  init?(_ field: SampledField, _ profile: CollectionProfile) {
    guard field.path.steps.count == 1, case .key(let name)? = field.path.steps.first,
      MappingReader.isIdentifier(name)
    else { return nil }
    let below = profile.fields.filter {
      $0.path.steps.count > 1 && $0.path.steps.starts(with: field.path.steps)
    }
    let kinds = field.kindsBesidesNull
    if kinds == [.map], let value = below.first(where: { $0.path.steps.dropFirst() == [.anyKey] }) {
      guard let kind = Self.scalarKind(of: value) else { return nil }
      line = "\(name): {keys: key, column: value \(kind.rawValue)}"
      return
    }
    guard kinds == [.array],
      let element = below.first(where: { $0.path.steps.dropFirst() == [.element] })
    else { return nil }
    if let kind = Self.scalarKind(of: element) {
      line = "\(name): {column: value \(kind.rawValue)}"
      return
    }
    guard element.kindsBesidesNull == [.map] else { return nil }
    let columns = below.compactMap(Self.column)
    guard !columns.isEmpty else { return nil }
    line = "\(name): {columns: {\(columns.joined(separator: ", "))}}"
  }

  /// A column of the elements' own fields; nil for those further down or of awkward names.
  private static func column(_ field: SampledField) -> String? {
    guard field.path.steps.count == 3, field.path.steps[1] == .element,
      case .key(let key) = field.path.steps[2], MappingReader.isIdentifier(key),
      !["document_path", "idx", "key"].contains(key.lowercased())
    else { return nil }
    return "\(YAMLText.scalar(key)): \(key) \(DraftColumns.kind(of: field).rawValue)"
  }

  /// Nil for what is no single value.
  private static func scalarKind(of field: SampledField) -> MappedColumn.Kind? {
    let kinds = field.kindsBesidesNull
    guard !kinds.isEmpty, kinds.isDisjoint(with: [.map, .array, .geoPoint, .vector, .unknown])
    else { return nil }
    return DraftColumns.kind(of: field)
  }
}
