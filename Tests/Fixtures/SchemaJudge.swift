import Foundation

/// Python's jsonschema, which judges files by a JSON Schema; a machine may lack it.
package enum SchemaJudge {
  /// A text of JSON and what the schema has to say of it.
  package struct Document: Encodable {
    let name: String
    let text: String
    let isValid: Bool

    package init(_ name: String, _ text: String, _ isValid: Bool) {
      (self.name, self.text, self.isValid) = (name, text, isValid)
    }
  }

  package static let isThere = PythonProgram.isThere(modules: "jsonschema")

  private static let program = """
    import json, jsonschema
    schema = json.load(open('schema.json'))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for entry in json.load(open('documents.json')):
        errors = [error.message[:200] for error in validator.iter_errors(json.loads(entry['text']))]
        if (not errors) != entry['isValid']: print(entry['name'], errors[:2])
    """

  /// The documents that the schema judges otherwise, a line each; empty when there are none.
  package static func faults(of documents: [Document], against schema: String) throws -> String {
    let folder = try TemporaryFolder()
    try folder.write(schema, to: "schema.json")
    try folder.write(
      String(decoding: try JSONEncoder().encode(documents), as: UTF8.self), to: "documents.json")
    return try PythonProgram.output(of: program, in: folder.path)
  }
}
