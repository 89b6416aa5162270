extension EventDraft {
  /// Appends an event that exists as a value, as the reader of an export appends its lines.
  package mutating func append(_ event: Event, to rows: inout EventRows) {
    begin()
    set(.name, to: event.name)
    set(.userId, to: event.userId)
    if let country = event.country { set(.country, to: country) }
    if let version = event.appVersion { set(.appVersion, to: version) }
    for (key, value) in event.parameters {
      var key = key
      key.withUTF8 { add($0, value) }
    }
    do {
      try finish(at: event.at, into: &rows)
    } catch {
      preconditionFailure("a dictionary holds no key twice")
    }
  }

  private mutating func set(_ field: Field, to text: String) {
    var text = text
    text.withUTF8 { set(field, to: $0) }
  }
}
