package struct Document: Hashable, Sendable {
  /// `projects/{project}/databases/{database}/documents/{collection}/{id}[/...]`.
  package var name: String
  package var fields: [String: Value]
  /// Nil for a document that was never stored.
  package var createTime: Timestamp?
  package var updateTime: Timestamp?

  package init(
    name: String, fields: [String: Value], createTime: Timestamp? = nil,
    updateTime: Timestamp? = nil
  ) {
    self.name = name
    self.fields = fields
    self.createTime = createTime
    self.updateTime = updateTime
  }

  /// The last segment of the name.
  package var id: String { ResourceName.ids(in: name).last ?? name }
}

extension Document {
  /// Reads the REST form; `fields` is absent without fields, and `name` in a new document.
  package init(json: JSON) throws(WireError) {
    let members = try json.members()
    self.init(
      name: try members.text("name") ?? "",
      fields: try members.optional("fields", Value.fields(json:)) ?? [:],
      createTime: try members.optional("createTime", Timestamp.init(json:)),
      updateTime: try members.optional("updateTime", Timestamp.init(json:)))
  }

  /// Members that are empty or nil are left out.
  package var json: JSON {
    var members: [String: JSON] = [:]
    if !name.isEmpty { members["name"] = .string(name) }
    if !fields.isEmpty { members["fields"] = Value.json(fields: fields) }
    if let createTime { members["createTime"] = .string(createTime.rfc3339) }
    if let updateTime { members["updateTime"] = .string(updateTime.rfc3339) }
    return .object(members)
  }

  /// The value at `path`, also inside maps; `__name__` gives the document's name as a reference.
  package subscript(path: FieldPath) -> Value? {
    path == .documentName ? .reference(name) : fields.value(at: path.segments[...])
  }
}

extension [String: Value] {
  /// The value at a path of map keys; nil when there is none, and inside of a vector.
  package func value(at path: ArraySlice<String>) -> Value? {
    guard let key = path.first, let value = self[key] else { return nil }
    guard path.count > 1 else { return value }
    guard case .map(let fields) = value, fields.vector == nil else { return nil }
    return fields.value(at: path.dropFirst())
  }

  /// The coordinates if the map is the form of a vector; nil for other maps.
  package var vector: [Value]? {
    guard count == 2, self["__type__"] == .string("__vector__"),
      case .array(let coordinates) = self["value"]
    else { return nil }
    return coordinates
  }
}
