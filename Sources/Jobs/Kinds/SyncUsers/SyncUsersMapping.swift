package import Firestore
package import Model
package import Sync

/// The mapping from scanned documents to rows of `OnlineUsers`, or to a reason for skipping them.
///
/// It runs once per document on the hot path of a sync: texts stay ranges of the page.
package struct SyncUsersMapping: Sendable {
  /// The wire names to scan for, in the order of the scanned fields.
  package let wireNames: [String]
  package let scanner: DocumentScanner
  package let orderPosition: Int?
  private let lastSeenPosition: Int
  /// The number of leading names that may hold the id.
  private let idNameCount: Int
  private let targets: [Target]
  /// The row of a document without fields.
  private let blank: Row
  private let ownId: [UInt8]
  private let now: Instant
  private let filter: UserFilter
  private let city: String?

  private typealias Row = UserColumn.Cells

  /// The prefix of a note about an unreadable field that stays empty; the wire name follows.
  static let emptied = "empty-field:"

  /// Creates a mapping of documents by `fields`; the user `ownUserId` is left out, unless nil.
  ///
  /// The filter also has the criteria that the query lacks. For a nil order field, pages are
  /// ordered by the last-seen time, which is compared with `now`.
  package init(
    fields: UserWireFields, ownUserId: String?, now: Instant, filter: UserFilter = .none,
    city: String? = nil, orderField: String? = nil
  ) {
    let scanned = fields.scanned
    targets = scanned.map { Target($0.column) }
    var blank = Row(repeating: .text(0..<0))
    for column in UserColumn.allCases where column.descriptor.isInteger {
      blank[column.rawValue] = .integer(0)
    }
    self.blank = blank
    idNameCount = scanned.prefix { $0.column == .userId }.count
    var names = scanned.map(\.name)
    if let orderField, !names.contains(orderField) { names.append(orderField) }
    wireNames = names
    orderPosition = names.firstIndex(of: orderField ?? fields.queryName(.lastSeenAtSeconds))
    scanner = DocumentScanner(fields: wireNames)
    lastSeenPosition = scanned.firstIndex { $0.column == .lastSeenAtSeconds } ?? 0
    ownId = Array((ownUserId ?? "").utf8)
    self.now = now
    self.filter = filter
    self.city = city
  }
}

extension SyncUsersMapping: DocumentMapping {
  package var width: Int { UserColumn.allCases.count }

  package var personCells: PersonColumns { .id(UserColumn.userId.rawValue) }

  /// Returns the time in the order field: a timestamp, or unix seconds in the last-seen field.
  package func time(of value: Value) -> Timestamp? {
    if orderPosition == lastSeenPosition { return Timestamp(timestampOrSeconds: value) }
    guard case .timestamp(let time) = value else { return nil }
    return time
  }

  package func add(
    _ document: borrowing ScannedDocument, in page: UnsafeRawBufferPointer,
    to collected: inout MappedRows
  ) {
    var row = blank
    row[UserColumn.userId.rawValue] = .text(KeyMapping.id(of: document.name, in: page))
    row[UserColumn.updateTime.rawValue] = .integer(document.updateTime ?? 0)
    var emptied: UInt64 = 0
    var reason = fill(&row, from: document, &emptied)
    if reason == nil { reason = skipReason(row, in: page) }
    if let reason { return collected.skip(reason.id, key: key(of: document, in: page)) }
    let correction = Self.instant(document.fields[lastSeenPosition])
      .flatMap { LastSeenRule.correction(of: $0, now: now) }
    if let correction { row[UserColumn.lastSeenAtSeconds.rawValue] = .integer(correction) }
    collected.rows.append(row.span, from: page)
    guard passes(collected.rows) else {
      collected.rows.removeLast()
      return collected.skip("filter", key: key(of: document, in: page))
    }
    if idNameCount > 0, !isNamedByKey(document, in: page) { collected.noteKeyOfField() }
    if correction != nil { collected.note(LastSeenRule.countedAs) }
    while emptied != 0 {
      collected.note(Self.emptied + wireNames[emptied.trailingZeroBitCount])
      emptied &= emptied - 1
    }
  }

  private func isNamedByKey(
    _ document: borrowing ScannedDocument, in page: UnsafeRawBufferPointer
  ) -> Bool {
    let key = KeyMapping.key(of: document, fieldCount: idNameCount, in: page)
    let id = KeyMapping.id(of: document.name, in: page)
    return page[key].elementsEqual(page[id])
  }

  private func key(
    of document: borrowing ScannedDocument, in page: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      rebasing: page[KeyMapping.key(of: document, fieldCount: idNameCount, in: page)])
  }

  /// Whether the last row passes the filter.
  private func passes(_ rows: TableRows) -> Bool {
    filter.isEmpty
      || FilterRule.matches(rows, row: rows.count - 1, filter, profileCity: city)
  }
}

extension SyncUsersMapping {
  /// The cell for a scanned field, prepared once so that documents need no look-up.
  private struct Target: Sendable {
    let cell: Int
    let form: UserColumnDescriptor.Form
    let isRequired: Bool

    init(_ column: UserColumn) {
      cell = column.rawValue
      isRequired = column.descriptor.isRequired
      form = column.descriptor.form
    }
  }

  /// Fills the row from the document's fields, unless a required one is unreadable.
  ///
  /// `emptied` receives the bit of each position in `wireNames` with an unreadable value.
  private func fill(
    _ row: inout Row, from document: borrowing ScannedDocument, _ emptied: inout UInt64
  ) -> SkipReason? {
    // The names of one column are adjacent; the first that the document has wins.
    var filled = -1
    for position in targets.indices where targets[position].cell != filled {
      let target = targets[position]
      switch Self.cell(of: document.fields[position], as: target.form) {
      case .absent: continue
      case .bad:
        if target.isRequired {
          let unit = target.form == .lastSeen ? document.fields[position].wrongUnit : ""
          return .badField(wireNames[position] + unit)
        }
        emptied |= 1 << UInt64(position)
      case .cell(let cell):
        row[target.cell] = cell
        filled = target.cell
      }
    }
    return nil
  }

  private enum Reading {
    case absent
    case cell(TableRows.Cell)
    case bad
  }

  /// Converts one field for its column; null counts as absent, as in the app.
  @inline(__always)
  private static func cell(of field: ScannedField, as form: UserColumnDescriptor.Form) -> Reading {
    switch (field, form) {
    case (.missing, _), (.null, _): .absent
    case (.string(let range), .text), (.string(let range), .age): .cell(.text(range))
    case (.integer(let number), .age), (.integer(let number), .integer): .cell(.integer(number))
    case (_, .lastSeen): instant(field).map { .cell(.integer($0.unixSeconds)) } ?? .bad
    case (.boolean(let flag), .flag): .cell(.integer(flag ? 1 : 0))
    default: .bad
    }
  }

  /// The range of a Firestore timestamp: the years 1 to 9999.
  private static let believable =
    Instant(unixSeconds: -62_135_596_800)..<Instant(unixSeconds: 253_402_300_800)

  /// Returns a last-seen time in microseconds; nil for a value that is not a valid time.
  private static func instant(_ field: ScannedField) -> Instant? {
    let instant: Instant? =
      switch field {
      case .timestamp(let microseconds): Instant(microseconds: microseconds)
      case .integer(let seconds): Instant(unixSeconds: seconds)
      case .double(let seconds): Instant(fractionalUnixSeconds: seconds)
      default: nil
      }
    return instant.flatMap { believable.contains($0) ? $0 : nil }
  }

  private func skipReason(
    _ row: borrowing Row, in page: UnsafeRawBufferPointer
  ) -> SkipReason? {
    let id = Self.text(row[UserColumn.userId.rawValue], in: page)
    let name = Self.text(row[UserColumn.name.rawValue], in: page)
    return ownId.withUnsafeBytes { SkipRule.reason(id: id, name: name, ownId: $0) }
  }

  private static func text(
    _ cell: TableRows.Cell, in page: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    guard case .text(let range) = cell else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: page[range])
  }
}

extension PullResult {
  /// The number of users whose clock was ahead; see `docs/loads.md#last-seen`.
  package var correctedTimes: Int { notes[LastSeenRule.countedAs, default: 0] }

  /// The numbers of users with an unreadable field that was left empty, by wire name.
  package var emptiedFields: [String: Int] {
    let pairs = notes.compactMap { note, count in
      note.hasPrefix(SyncUsersMapping.emptied)
        ? (String(note.dropFirst(SyncUsersMapping.emptied.count)), count) : nil
    }
    return Dictionary(pairs) { $0 + $1 }
  }
}
