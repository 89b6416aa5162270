/// A document as Firestore sends it.
package struct Document: Hashable, Sendable {
  /// `projects/{project}/databases/{database}/documents/{collection}/{id}[/...]`.
  package var name: String
  package var fields: [String: Value]
  /// Nil only for a document that was never stored.
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

  /// The last part of the name.
  package var id: String { ResourceName.ids(in: name).last ?? name }
}

extension Document {
  /// Reads the REST form, in which a document without fields leaves out `fields`, a new one `name`.
  package init(json: JSON) throws(WireError) {
    let members = try json.members()
    self.init(
      name: try members.optional("name") { json throws(WireError) in try json.text() } ?? "",
      fields: try members.optional("fields", Value.fields(json:)) ?? [:],
      createTime: try members.optional("createTime", Timestamp.init(json:)),
      updateTime: try members.optional("updateTime", Timestamp.init(json:)))
  }

  /// What is empty or nil is left out.
  package var json: JSON {
    var members: [String: JSON] = [:]
    if !name.isEmpty { members["name"] = .string(name) }
    if !fields.isEmpty { members["fields"] = Value.json(fields: fields) }
    if let createTime { members["createTime"] = .string(createTime.rfc3339) }
    if let updateTime { members["updateTime"] = .string(updateTime.rfc3339) }
    return .object(members)
  }
}
