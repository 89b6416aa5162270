package import Firestore

/// The `firestore.indexes.json` of a workspace; see `docs/firestore.md#indexes`.
package enum IndexFile {
  /// Every index that a query of the jobs, or of a filter command, can need and Firestore does not
  /// make by itself.
  package static func indexes(of jobs: [Job]) -> [QueryIndex] {
    let needed = jobs.flatMap { $0.definition.queries }.flatMap { QueryIndex.serving($0) }
    return needed.reduce(into: []) { indexes, index in
      if !index.isAutomatic, !indexes.contains(index) { indexes.append(index) }
    }
  }

  /// The file as `firebase deploy --only firestore:indexes` reads it: an entry a line, or all on
  /// one.
  package static func text(of jobs: [Job], onOneLine: Bool) -> String {
    let file = QueryIndex.file(of: indexes(of: jobs))
    guard !onOneLine, case .object(let lists) = file else { return text(of: file) }
    let names = [QueryIndex.IndexFileSection.indexes, .fieldOverrides].map(\.rawValue)
    let members = names.map { name in
      guard case .array(let entries)? = lists[name], !entries.isEmpty else {
        return "  \"\(name)\": []"
      }
      let lines = entries.map { "    \(text(of: $0))" }.joined(separator: ",\n")
      return "  \"\(name)\": [\n\(lines)\n  ]"
    }
    return "{\n\(members.joined(separator: ",\n"))\n}"
  }

  private static func text(of json: JSON) -> String {
    String(decoding: json.serialized(), as: UTF8.self)
  }
}
