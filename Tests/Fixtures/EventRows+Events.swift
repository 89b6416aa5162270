package import Model

extension EventRows {
  /// The cell's text; nil for NULL.
  package func text(_ cell: Cell) -> String? {
    guard cell.count >= 0 else { return nil }
    return String(decoding: bytes[Int(cell.start)..<Int(cell.start + cell.count)], as: UTF8.self)
  }

  /// The rows as events, their columns beside; nil parameters for a text that cannot be read.
  package var events: [Event?] {
    rows.map { row in
      var parameters = text(row.parameters) ?? ""
      return parameters.withUTF8 { ParameterText.parameters($0) }.map {
        Event(
          name: text(row.name) ?? "", at: row.at, userId: text(row.userId) ?? "", parameters: $0,
          country: text(row.country), appVersion: text(row.appVersion),
          platform: row.feature.count < 0 ? text(row.platform) : nil)
      }
    }
  }

  /// Every column of every row as text, in the table's order of columns, the rows in that of time.
  package var columns: [[String?]] {
    var sealed = self
    sealed.seal()
    return zip(sealed.rows, sealed.fingerprints).map { row, fingerprint in
      [
        text(row.name), String(row.at.microseconds), text(row.userId), text(row.platform),
        text(row.feature), text(row.kind), text(row.userType), row.stars.map(String.init),
        text(row.parameters), text(row.country), text(row.appVersion), String(fingerprint),
      ]
    }
  }

  package init(_ events: some Sequence<Event>) {
    self.init()
    var encoder = EventRowEncoder()
    for event in events { encoder.append(event, to: &self) }
    seal()
  }
}
