/// A field that a scan reads, also inside maps.
package struct WantedField: Hashable, Sendable {
  package enum Form: Hashable, Sendable {
    /// Its value, as `ScannedDocument.fields` has it.
    case value
    /// The JSON of its value, whatever the kind, as `ScannedDocument.json(of:)` has it.
    case json
  }

  package var path: FieldPath
  package var form: Form

  package init(_ path: FieldPath, _ form: Form = .value) {
    self.path = path
    self.form = form
  }
}
