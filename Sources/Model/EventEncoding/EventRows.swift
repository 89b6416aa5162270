/// Rows of the table `events`, without a Swift string for each cell.
///
/// A text cell is a range of `bytes`, UTF-8, which the writer binds in place. `EventRowEncoder`
/// fills the rows. This is the hot path of an import; `Event` is the same record everywhere else.
package struct EventRows: Sendable {
  /// A text as a range of `bytes`; a negative count is NULL.
  package struct Cell: Hashable, Sendable {
    package var start: Int32
    package var count: Int32

    package static let null = Cell(start: 0, count: -1)
  }

  /// The columns of the table `events`, except `fingerprint`, `source` and `export_id`.
  package struct Row: Hashable, Sendable {
    package var at: Instant
    package var name = Cell.null
    package var userId = Cell.null
    /// A JSON object; equal parameters make equal bytes.
    package var parameters = Cell.null
    package var country = Cell.null
    package var appVersion = Cell.null
    package var platform = Cell.null
    package var feature = Cell.null
    package var kind = Cell.null
    package var userType = Cell.null
    /// 1 to 5 when the event is a rating.
    package var stars: Int64?
    /// A number of `EventOrigins`; 0 for a row that names no day of the export.
    package var origin: Int32 = 0
  }

  /// The bytes that the cells point into.
  package private(set) var bytes: [UInt8] = []
  package private(set) var rows: [Row] = []
  /// For each row the hash that, with its microsecond, identifies the event; empty until `seal`.
  package private(set) var fingerprints: [Int64] = []

  package init() {}

  package var count: Int { rows.count }
  package var isEmpty: Bool { rows.isEmpty }

  /// Appends a row and its bytes; the cells count from the start of `bytes`, `source` included.
  mutating func append(_ row: Row, from source: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: source)
    rows.append(row)
  }

  /// Sorts the rows by time and computes their fingerprints; no row may follow.
  ///
  /// Neighbours in time are neighbours in the table's indexes. Rows of one instant keep their
  /// order.
  package mutating func seal() {
    if zip(rows, rows.dropFirst()).contains(where: { $1.at.microseconds < $0.at.microseconds }) {
      rows.sort { $0.at.microseconds < $1.at.microseconds }
    }
    identify()
  }

  private mutating func identify() {
    fingerprints.removeAll(keepingCapacity: true)
    bytes.withUnsafeBufferPointer { bytes in
      let whole = rows.count & ~3
      for row in stride(from: 0, to: whole, by: 4) {
        let four = Fingerprint.of(
          rows[row].identity(in: bytes), rows[row + 1].identity(in: bytes),
          rows[row + 2].identity(in: bytes), rows[row + 3].identity(in: bytes))
        fingerprints += [four.0, four.1, four.2, four.3]
      }
      fingerprints += rows[whole...].map { Fingerprint.of($0.identity(in: bytes)) }
    }
  }

  /// Removes the rows that `isUnwanted` selects by their user id and parameters, a JSON object.
  ///
  /// - Precondition: the rows are sealed.
  @discardableResult
  package mutating func remove(
    where isUnwanted: (
      _ userId: UnsafeRawBufferPointer, _ parameters: UnsafeRawBufferPointer
    ) -> Bool
  ) -> Int {
    precondition(fingerprints.count == rows.count, "only sealed rows can be removed")
    let kept = bytes.withUnsafeBytes { bytes in
      rows.indices.filter { index in
        !isUnwanted(rows[index].userId.text(in: bytes), rows[index].parameters.text(in: bytes))
      }
    }
    let removed = rows.count - kept.count
    guard removed > 0 else { return 0 }
    (rows, fingerprints) = (kept.map { rows[$0] }, kept.map { fingerprints[$0] })
    return removed
  }

  /// Removes the rows and keeps the memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    fingerprints.removeAll(keepingCapacity: true)
  }
}

extension EventRows.Cell {
  /// The cell's bytes; none for NULL.
  fileprivate func text(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let end = Int(start) + max(0, Int(count))
    return UnsafeRawBufferPointer(rebasing: bytes[Int(start)..<end])
  }
}

extension EventRows.Row {
  /// Name, user and parameters, which `EventRowEncoder` stores side by side, a separator after
  /// each.
  fileprivate func identity(in bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[Int(name.start)...Int(parameters.start + parameters.count)])
  }
}

/// A cache of how event names split into platform, feature and kind: an app has a few dozen names.
struct EventNames {
  /// The lengths in bytes of a feature event's platform and feature; the kind is the rest.
  struct Parts: Hashable {
    let platformCount: Int
    let featureCount: Int
  }

  /// Names that are kept at most, so that a hostile export costs no memory.
  private static let mostNames = 1_024

  private var cache: [[UInt8]: Parts?] = [:]

  /// The parts of a name; nil for a name that is not about a limited feature.
  mutating func parts(of name: UnsafeBufferPointer<UInt8>) -> Parts? {
    let key = Array(name)
    if let known = cache[key] { return known }
    let parts = FeatureEventName(String(decoding: name, as: UTF8.self)).map {
      Parts(platformCount: $0.platform.utf8.count, featureCount: $0.feature.rawValue.utf8.count)
    }
    if cache.count >= Self.mostNames { cache.removeAll() }
    cache[key] = .some(parts)
    return parts
  }
}

/// A rating in an `app_events` event: `rating_{App}_{1-5}` as the key or the text of a parameter.
///
/// `rating_{App}_{stars}_after_{tries}` repeats a rating and does not count as one; see
/// `docs/ratings.md#ratings`.
struct RatingParameter {
  static let eventName = "app_events"

  /// 1 to 5.
  let stars: Int

  /// Nil for any other text.
  init?(_ text: String) {
    guard text.utf8.starts(with: "rating_".utf8), !text.contains("_after_") else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
    guard parts.count >= 3, let digit = parts.last, digit.count == 1,
      let stars = Int(Substring(digit)), (1...5).contains(stars),
      parts[1...].dropLast().contains(where: { !$0.isEmpty })
    else { return nil }
    self.stars = stars
  }
}

/// 64-bit FNV-1a over the parts of an event, each followed by a byte that never occurs in UTF-8.
///
/// The constants are those of RFC 9923. Fingerprints are stored, so the function must never change.
enum Fingerprint {
  typealias Text = UnsafeBufferPointer<UInt8>

  static let separator: UInt8 = 0xff

  private static let beginning: UInt64 = 0xcbf2_9ce4_8422_2325

  static func of(_ text: Text) -> Int64 {
    Int64(bitPattern: added(text[...], to: beginning))
  }

  /// The fingerprints of four texts at once, which overlaps their multiplications.
  static func of(_ a: Text, _ b: Text, _ c: Text, _ d: Text) -> (Int64, Int64, Int64, Int64) {
    var hashes = (beginning, beginning, beginning, beginning)
    let shared = min(a.count, b.count, c.count, d.count)
    for place in 0..<shared {
      add(a[place], to: &hashes.0)
      add(b[place], to: &hashes.1)
      add(c[place], to: &hashes.2)
      add(d[place], to: &hashes.3)
    }
    return (
      Int64(bitPattern: added(a[shared...], to: hashes.0)),
      Int64(bitPattern: added(b[shared...], to: hashes.1)),
      Int64(bitPattern: added(c[shared...], to: hashes.2)),
      Int64(bitPattern: added(d[shared...], to: hashes.3))
    )
  }

  private static func added(_ bytes: Slice<Text>, to hash: UInt64) -> UInt64 {
    var hash = hash
    for byte in bytes { add(byte, to: &hash) }
    return hash
  }

  @inline(__always)
  private static func add(_ byte: UInt8, to hash: inout UInt64) {
    hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
  }
}

/// The last step: from the texts and parameters to the row.
extension EventRowEncoder {
  /// Sorts the parameters and appends the event to `rows`.
  ///
  /// `origin` is a number of `EventOrigins`.
  ///
  /// - Precondition: the name is set.
  package mutating func finish(
    at instant: Instant, origin: Int32 = 0, into rows: inout EventRows
  ) throws(DuplicateParameter) {
    try sortParameters()
    row.clear()
    row.reserve(2 * scratch.count + parameters.count + 5)
    let name = put(.name) ?? 0..<0
    row.put(Fingerprint.separator)
    let userId = put(.userId) ?? row.count..<row.count
    row.put(Fingerprint.separator)
    let parameters = putParameters()
    row.put(Fingerprint.separator)
    let country = put(.country)
    let appVersion = put(.appVersion)

    let base = Int32(rows.bytes.count)
    var cells = EventRows.Row(at: instant)
    cells.origin = origin
    cells.name = .init(name, base)
    cells.userId = .init(userId, base)
    cells.parameters = .init(parameters, base)
    cells.country = .init(country, base)
    cells.appVersion = .init(appVersion, base)
    if !fillFeature(&cells, name, base) { cells.platform = .init(putPlatform(), base) }
    if text(name).elementsEqual(RatingParameter.eventName.utf8) { cells.stars = stars() }
    rows.append(cells, from: row.bytes)
  }

  private mutating func put(_ field: Field) -> Range<Int>? {
    guard let range = range(of: field) else { return nil }
    return put(range)
  }

  /// Google Analytics writes `IOS`, names of events `ios`.
  private mutating func putPlatform() -> Range<Int>? {
    guard let range = put(.platform) else { return nil }
    row.lowercase(range)
    return range
  }

  private mutating func put(_ range: Range<Int>) -> Range<Int> {
    let start = row.count
    row.put(scratch.start + range.lowerBound, count: range.count)
    return start..<row.count
  }

  private mutating func putParameters() -> Range<Int> {
    let start = row.count
    row.put(UInt8(ascii: "{"))
    for index in parameters.indices {
      if index > 0 { row.put(UInt8(ascii: ",")) }
      _ = put(parameters[index].key.lowerBound - 1..<parameters[index].end)
    }
    row.put(UInt8(ascii: "}"))
    return start..<row.count
  }

  private func text(_ range: Range<Int>) -> Text {
    Text(start: row.start + range.lowerBound, count: range.count)
  }

  /// Returns whether the name is about a limited feature.
  private mutating func fillFeature(
    _ cells: inout EventRows.Row, _ name: Range<Int>, _ base: Int32
  ) -> Bool {
    guard let parts = names.parts(of: text(name)) else { return false }
    let feature = name.lowerBound + parts.platformCount + 1
    let kind = feature + parts.featureCount + 1
    cells.platform = .init(name.lowerBound..<feature - 1, base)
    cells.feature = .init(feature..<kind - 1, base)
    cells.kind = .init(kind..<name.upperBound, base)
    let platform = Text(rebasing: text(name)[..<parts.platformCount])
    if let value = userType(platform: platform) { cells.userType = .init(put(value), base) }
    return true
  }

  /// The place in `scratch` of the text of `{platform}_user_type`; nil unless it is a `UserType`.
  private func userType(platform: Text) -> Range<Int>? {
    let suffix: StaticString = "_user_type"
    let count = platform.count + suffix.utf8CodeUnitCount
    let found = parameters.first { parameter in
      guard parameter.key.count == count, parameter.isText else { return false }
      let key = keyBytes(parameter)
      return key.suffix(suffix.utf8CodeUnitCount)
        .elementsEqual(UnsafeBufferPointer(start: suffix.utf8Start, count: 10))
        && key.starts(with: platform)
    }
    guard let found else { return nil }
    let value = valueText(found)
    let text = String(decoding: UnsafeBufferPointer(rebasing: scratch.bytes[value]), as: UTF8.self)
    return UserType(rawValue: text) == nil ? nil : value
  }

  /// The place of a text between its quotes; its escapes are still there.
  private func valueText(_ parameter: Parameter) -> Range<Int> {
    parameter.key.upperBound + 3..<parameter.end - 1
  }

  /// The stars of the first rating among the sorted parameters; nil without one.
  ///
  /// Escapes may stay: they can neither make a text a rating nor hide one.
  private func stars() -> Int64? {
    for parameter in parameters {
      let key = String(decoding: keyBytes(parameter), as: UTF8.self)
      if let rating = RatingParameter(key) { return Int64(rating.stars) }
      guard parameter.isText else { continue }
      let value = String(decoding: scratch.bytes[valueText(parameter)], as: UTF8.self)
      if let rating = RatingParameter(value) { return Int64(rating.stars) }
    }
    return nil
  }
}

/// Parameters sorted by key.
extension EventRowEncoder {
  fileprivate func keyBytes(_ parameter: Parameter) -> Text {
    Text(start: scratch.start + parameter.key.lowerBound, count: parameter.key.count)
  }

  fileprivate mutating func sortParameters() throws(DuplicateParameter) {
    guard hasPlainKeys else { return try sortByText() }
    let keys = scratch.start
    parameters.sort { Self.precedes($0, $1, keys) }
    for (left, right) in zip(parameters, parameters.dropFirst())
    where !Self.precedes(left, right, keys) {
      throw DuplicateParameter(name: String(decoding: keyBytes(left), as: UTF8.self))
    }
  }

  private static func precedes(
    _ left: Parameter, _ right: Parameter, _ keys: UnsafePointer<UInt8>
  ) -> Bool {
    guard left.prefix == right.prefix else { return left.prefix < right.prefix }
    let shorter = min(left.key.count, right.key.count)
    var offset = 8
    while offset < shorter {
      let first = keys[left.key.lowerBound &+ offset]
      let second = keys[right.key.lowerBound &+ offset]
      guard first == second else { return first < second }
      offset &+= 1
    }
    return left.key.count < right.key.count
  }

  /// Sorts keys that are not plain ASCII as Swift sorts text, by canonical equivalence.
  private mutating func sortByText() throws(DuplicateParameter) {
    let keyed = parameters.map { (key: ParameterText.decoded(keyBytes($0)), parameter: $0) }
      .sorted { $0.key < $1.key }
    for (left, right) in zip(keyed, keyed.dropFirst()) where left.key == right.key {
      throw DuplicateParameter(name: left.key)
    }
    parameters = keyed.map(\.parameter)
  }
}

extension EventRows.Cell {
  fileprivate init(_ range: Range<Int>?, _ base: Int32) {
    guard let range else {
      self = .null
      return
    }
    self.init(start: base + Int32(range.lowerBound), count: Int32(range.count))
  }
}
