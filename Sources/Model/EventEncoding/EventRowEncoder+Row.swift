/// The last step: from the texts and parameters to the row.
extension EventRowEncoder {
  /// Sorts the parameters and appends the event to `rows`.
  ///
  /// - Precondition: the name is set.
  package mutating func finish(
    at instant: Instant, into rows: inout EventRows
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
    cells.name = .init(name, base)
    cells.userId = .init(userId, base)
    cells.parameters = .init(parameters, base)
    cells.country = .init(country, base)
    cells.appVersion = .init(appVersion, base)
    fillFeature(&cells, name, base)
    if text(name).elementsEqual(RatingParameter.eventName.utf8) { cells.stars = stars() }
    rows.append(cells, from: row.bytes)
  }

  private mutating func put(_ field: Field) -> Range<Int>? {
    guard let range = range(of: field) else { return nil }
    return put(range)
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

  private mutating func fillFeature(_ cells: inout EventRows.Row, _ name: Range<Int>, _ base: Int32)
  {
    guard let parts = names.parts(of: text(name)) else { return }
    let feature = name.lowerBound + parts.platformCount + 1
    let kind = feature + parts.featureCount + 1
    cells.platform = .init(name.lowerBound..<feature - 1, base)
    cells.feature = .init(feature..<kind - 1, base)
    cells.kind = .init(kind..<name.upperBound, base)
    let platform = Text(rebasing: text(name)[..<parts.platformCount])
    guard let value = userType(platform: platform) else { return }
    cells.userType = .init(put(value), base)
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
    let text = String(
      decoding: UnsafeBufferPointer(rebasing: scratch.bytes[value]), as: UTF8.self)
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
