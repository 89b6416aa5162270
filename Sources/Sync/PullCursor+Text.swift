import Firestore

/// How a cursor is kept between runs: as JSON, its values as on the wire.
extension PullCursor {
  package var text: String {
    var members: [String: JSON] = ["documentCount": .integer(documentCount)]
    if let last {
      members["value"] = last.value?.json
      members["name"] = .string(last.name)
    }
    if !parts.isEmpty { members["parts"] = .array(parts.map(\.json)) }
    if let readTime {
      members["readTime"] = .string(readTime.rfc3339)
    }
    if let firstReadTime {
      members["firstReadTime"] = .string(firstReadTime.rfc3339)
    }
    if let highest {
      members["highest"] = .string(highest.rfc3339)
    }
    return String(decoding: JSON.object(members).serialized(), as: UTF8.self)
  }

  /// Nil for a text that another version of the program wrote: the pull then starts over.
  package init?(text: String) {
    do {
      let json = try JSON(parsing: Array(text.utf8))
      let value = try json["value"].map { try Value(json: $0) }
      let readTime = try json["readTime"].flatMap { Timestamp(rfc3339: try $0.text()) }
      let name = try json["name"]?.text()
      let parts = try json["parts"]?.elements().map { try Part(json: $0) } ?? []
      guard (name == nil) != parts.isEmpty, let count = try json["documentCount"]?.integer()
      else { return nil }
      self.init()
      last = name.map { Position(value: value, name: $0) }
      self.parts = parts
      documentCount = Int(count)
      self.readTime = readTime
      firstReadTime = try json["firstReadTime"].flatMap { Timestamp(rfc3339: try $0.text()) }
      highest = try json["highest"].flatMap { Timestamp(rfc3339: try $0.text()) }
    } catch {
      return nil
    }
  }
}

extension PullCursor.Part {
  fileprivate var json: JSON {
    var members: [String: JSON] = ["isDone": .boolean(isDone)]
    members["start"] = start.map { .string($0) }
    members["end"] = end.map { .string($0) }
    members["last"] = last.map { .string($0) }
    return .object(members)
  }

  fileprivate init(json: JSON) throws(WireError) {
    self.init(
      start: try json["start"]?.text(), end: try json["end"]?.text(),
      last: try json["last"]?.text(), isDone: try json["isDone"]?.flag() ?? false)
  }
}
