/// The JSON Schemas of the files in JSON: docs/reports/files.md#json-schema.
///
/// They are the files of the manual, compiled into the program.
package enum ReportSchema {
  /// Raise it when a member goes, or means something else; not when one comes.
  package static let version = 1

  /// The text of `docs/report.schema.json`: its objects may have more members than it names.
  package static var text: String {
    String(decoding: PackageResources.report_schema_json, as: UTF8.self)
  }

  /// The text of `docs/findings.schema.json`: its objects are closed, and a member that it does not
  /// name is a fault of whoever wrote the file.
  package static var findingsText: String {
    String(decoding: PackageResources.findings_schema_json, as: UTF8.self)
  }
}
