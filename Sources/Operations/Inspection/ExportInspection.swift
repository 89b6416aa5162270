package import CollectionMapping
package import Firestore
import Sync
import Workspace

/// An inspection of all documents of a managed export, without a billed read; see
/// `docs/managed-exports.md#inspect`.
package struct ExportInspection {
  private let export: ManagedExport
  private let request: InspectionRequest
  /// By the collection's name, or the group's.
  private var collections: [String: InspectedCollection] = [:]
  private var tallies: [String: SampleTally] = [:]
  private var findings = Inspection.Findings()

  package init(_ request: InspectionRequest, of export: ManagedExport) {
    self.request = request
    self.export = export
  }

  /// Reads the export once.
  ///
  /// - Throws: `WorkspaceError.refused` for an incomplete export, or one without a named
  ///   collection.
  package mutating func run() throws -> Inspection.Findings {
    do {
      var reader = export.reader()
      var page: [UInt8] = []
      while try reader.nextPage(into: &page, documents: 1_000) != nil {
        try Task.checkCancellation()
        for element in try JSON(parsing: page).elements() {
          guard let json = element["document"] else { continue }
          add(try Document(json: json))
        }
      }
    } catch let error as ExportError {
      throw WorkspaceError.refused(.badData, error.description)
    }
    return try result()
  }

  private mutating func add(_ document: Document) {
    let ids = Array(ResourceName.ids(in: document.name).dropFirst(5))
    let level = ids.count / 2
    let collection = Array(ids.dropLast())
    guard let source = source(of: collection) else { return }
    noteBelow(collection)
    let place = collection.enumerated().map { $0.isMultiple(of: 2) ? $1 : "*" }
      .joined(separator: "/")
    guard level <= request.depth || !source.isGroup else {
      findings.tooDeep[source.collectionId, default: []].insert(place)
      return
    }
    let key = source.description
    var inspected =
      collections[key] ?? InspectedCollection(source: source, level: source.isGroup ? level : 1)
    if source.isGroup {
      inspected.places.insert(place)
      inspected.level = min(inspected.level, level)
    }
    inspected.count = (inspected.count ?? 0) + 1
    collections[key] = inspected
    let tally = tallies[key] ?? SampleTally()
    tallies[key] = tally
    tally.add(document)
  }

  /// Returns the collection or group that a document counts for; nil when it was not requested.
  private func source(of path: [String]) -> CollectionSource? {
    guard let id = path.last else { return nil }
    let own = CollectionSource(
      collectionId: id,
      parent: path.count == 1 ? nil : path.dropLast().joined(separator: "/"))
    let group = CollectionSource(collectionId: id, isGroup: true)
    guard !request.collections.isEmpty else { return path.count == 1 ? own : group }
    if request.collections.contains(own) { return own }
    if request.collections.contains(group) { return group }
    let name = path.joined(separator: "/")
    let isBelow = request.collections.contains { source in
      !source.isGroup && name.hasPrefix(source.description.dropFirst("the collection ".count) + "/")
    }
    return isBelow ? group : nil
  }

  /// Records the root collection above a subcollection, which may have no documents itself.
  private mutating func noteBelow(_ path: [String]) {
    let root = CollectionSource(collectionId: path[0])
    guard path.count > 1,
      request.collections.isEmpty || request.collections.contains(root)
    else { return }
    let key = root.description
    collections[key] = collections[key] ?? InspectedCollection(source: root, level: 1)
  }

  private func result() throws -> Inspection.Findings {
    var findings = findings
    findings.notFound = 0
    findings.collections = collections.values.sorted { left, right in
      (left.source.isGroup ? 1 : 0, left.level, left.name)
        < (right.source.isGroup ? 1 : 0, right.level, right.name)
    }.map { collection in
      var collection = collection
      if let tally = tallies[collection.source.description] { collection.profile = tally.profile }
      collection.count = collection.count ?? 0
      collection.hasMissingParents = collection.count == 0
      return collection
    }
    for source in request.collections where collections[source.description] == nil {
      throw WorkspaceError.refused(
        .failed, "The export holds no document of \(source).")
    }
    return findings
  }
}
