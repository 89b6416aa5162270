import Fixtures
import Foundation
import Testing

@testable import Firestore

/// Reading an export that Google's emulator wrote, and those that this program writes.
@Suite struct ManagedExportTests {
  private static let sample = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Google")

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func documents(of path: String, origin: DocumentOrigin? = nil) throws -> [String:
    Document]
  {
    var reader = try ManagedExport(at: path).reader(of: origin)
    var page: [UInt8] = []
    var documents: [String: Document] = [:]
    while let count = try reader.nextPage(into: &page, documents: 7) {
      let elements = try JSON(parsing: page).elements()
      #expect(elements.count == count)
      for element in elements {
        let document = try Document(json: try #require(element["document"]))
        #expect(documents.updateValue(document, forKey: document.name) == nil)
      }
    }
    #expect(reader.unknownValues.isEmpty)
    return documents
  }

  /// A copy of Google's export, to be damaged.
  private func copy() throws -> URL {
    let target = folder.url.appending(path: "copy")
    try FileManager.default.copyItem(at: Self.sample.appending(path: "sample"), to: target)
    return target
  }

  private static let output = "all_namespaces/all_kinds/output-0"
  private static let inner = "all_namespaces/all_kinds/all_namespaces_all_kinds.export_metadata"

  @Test func `an export of Google's emulator has the documents of its REST answers`() throws {
    let json = try JSON(
      parsing: try Data(contentsOf: Self.sample.appending(path: "documents.json")))
    let expected = try json.elements().map { try Document(json: $0) }
    let found = try documents(of: Self.sample.appending(path: "sample").path)
    #expect(expected.count == 67)
    #expect(Set(found.keys) == Set(expected.map(\.name)))
    for document in expected {
      #expect(found[document.name]?.fields == document.fields, "\(document.name)")
    }
  }

  @Test func `its metadata tell the time, the project and the number of documents`() throws {
    let export = try ManagedExport(at: Self.sample.path)
    #expect(export.root == ResourceName(project: "google-sample"))
    #expect(export.documentCount == 67)
    #expect(export.begin <= export.end)
    #expect(export.end.rfc3339.hasPrefix("2026-11-29T00:2"))
    #expect(export.collectionIds == nil)
    let all = try documents(of: Self.sample.path)
    #expect(all.values.allSatisfy { $0.updateTime == export.end && $0.createTime == nil })
  }

  @Test func `documents of one origin are picked out, and all are counted`() throws {
    let root = ResourceName(project: "google-sample")
    let origin = DocumentOrigin(
      StructuredQuery(from: [.init(collectionId: "Below", allDescendants: true)]), under: root)
    let found = try documents(of: Self.sample.path, origin: origin)
    #expect(found.keys.map { root.relativePath(of: $0) } == ["Missing/parent/Below/child"])
  }

  @Test func `a cut between two records is found by the count`() throws {
    let copy = try copy()
    let file = copy.appending(path: Self.output)
    let bytes = Array(try Data(contentsOf: file))
    var reader = try RecordLogReader(file.path)
    var ends: [Int] = []
    var end = 0
    while try reader.next({ end += $0.count + RecordLog.headLength }) { ends.append(end) }
    // Of the records in the first block.
    try Data(bytes.prefix(ends[3])).write(to: file)
    reader = try RecordLogReader(file.path)
    let error = #expect(throws: ExportError.self) { _ = try documents(of: copy.path) }
    #expect(
      error?.problem == "is not whole: its metadata counts 67 documents, and its outputs hold 4. "
        + "Copy it again")
  }

  @Test func `a missing output, a missing metadata file and an empty folder are named`() throws {
    let copy = try copy()
    try FileManager.default.removeItem(at: copy.appending(path: Self.output))
    var error = #expect(throws: ExportError.self) { _ = try ManagedExport(at: copy.path) }
    #expect(error?.path == copy.appending(path: Self.output).path)
    try FileManager.default.removeItem(at: copy.appending(path: Self.inner))
    error = #expect(throws: ExportError.self) { _ = try ManagedExport(at: copy.path) }
    #expect(error?.problem == "cannot be read: no such file or directory")
    error = #expect(throws: ExportError.self) {
      _ = try ManagedExport(at: copy.appending(path: "all_namespaces").path)
    }
    #expect(error?.problem.hasPrefix("holds no managed export") == true)
  }

  @Test func `another version is refused`() throws {
    let copy = try copy()
    var log = RecordLogWriter()
    log.append(Array("4".utf8))
    try Data(log.take()).write(to: copy.appending(path: "sample.overall_export_metadata"))
    let error = #expect(throws: ExportError.self) { _ = try ManagedExport(at: copy.path) }
    #expect(error?.problem == "has the version '4', and only version 3 is known")
  }

  @Test(arguments: ["../x", "/etc/passwd", "a/../../b"])
  func `a path that leads out of the export is refused`(path: String) throws {
    let copy = try copy()
    let part = ExportMetadata.Part(collectionId: nil, path: path, entityCount: 1, byteCount: 1)
    let file = copy.appending(path: "sample.overall_export_metadata")
    try Data(ExportMetadata.overall([part])).write(to: file)
    let error = #expect(throws: ExportError.self) { _ = try ManagedExport(at: copy.path) }
    #expect(error?.problem == "names a file outside of the export")
  }

  @Test(arguments: FuzzCases.seeds(20, orMany: 500))
  func `what is written is read`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var written: [String: Document] = [:]
    for index in 0..<random.integer(0...40) {
      let id = random.pick("d\(index)", "__id\(index)__", "__id-\(index + 1)__", "ü\(index)")
      let path = random.pick("C/\(id)", "Missing/x/Sub/\(id)")
      let name = "projects/p/databases/(default)/documents/\(path)"
      written[name] = Document(name: name, fields: .exported(depth: 3, using: &random))
    }
    let target = folder.path(of: "export")
    var writer = try ExportWriter(to: target, begin: Timestamp(microseconds: 5))
    for document in written.values { try writer.add(document) }
    #expect(try writer.finish(end: Timestamp(microseconds: 9)) == written.count)
    let export = try ManagedExport(at: target)
    #expect(export.begin.microseconds == 5)
    #expect(export.end.microseconds == 9)
    let found = try documents(of: target)
    #expect(found.mapValues(\.fields) == written.mapValues(\.fields), "seed \(seed)")
  }

  @Test func `more than 5,000 documents are several outputs`() throws {
    let target = folder.path(of: "export")
    var writer = try ExportWriter(to: target, begin: Timestamp(microseconds: 5))
    for index in 0..<5_001 {
      try writer.add(
        Document(
          name: "projects/p/databases/d/documents/C/\(index)",
          fields: ["n": .integer(Int64(index))]))
    }
    _ = try writer.finish(end: Timestamp(microseconds: 9))
    let inner = "\(target)/\(ExportWriter.folderName)/all_namespaces/all_kinds"
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: inner).sorted()
        == ["all_namespaces_all_kinds.export_metadata", "output-0", "output-1"])
    #expect(try documents(of: target).count == 5_001)
    #expect(try ManagedExport(at: target).root?.database == "d")
  }

  @Test func `a folder that is no export is not replaced, and an export is`() throws {
    try folder.write("mine", to: "export/notes.txt")
    let target = folder.path(of: "export")
    #expect(throws: ExportError.self) {
      _ = try ExportWriter(to: target, begin: Timestamp(microseconds: 5))
    }
    #expect(try folder.text(of: "export/notes.txt") == "mine")
    let other = folder.path(of: "other")
    for time in [1, 2] {
      var writer = try ExportWriter(to: other, begin: Timestamp(microseconds: Int64(time)))
      _ = try writer.finish(end: Timestamp(microseconds: Int64(time)))
    }
    #expect(try ManagedExport(at: other).end.microseconds == 2)
    #expect(try ManagedExport(at: other).root == nil)
    #expect(try folder.names() == ["export", "other"])
  }

  @Test func `a value of an unknown meaning is kept, and named`() throws {
    var entity = ProtobufWriter()
    entity.addMessage(13) { key in
      key.add(13, text: "s~p")
      key.addMessage(14) { path in
        path.addGroup(1) {
          $0.add(2, text: "C")
          $0.add(3, integer: 7)
        }
      }
    }
    entity.addMessage(15) { property in
      property.add(1, integer: 99)
      property.add(3, text: "odd")
      property.add(4, integer: 0)
      property.addMessage(5) { $0.add(1, integer: 5) }
    }
    var reader = EntityReader(time: Timestamp(microseconds: 0))
    var page: [UInt8] = []
    try entity.bytes.withUnsafeBytes { bytes in
      try reader.readName(of: bytes)
      try reader.append(bytes, to: &page)
    }
    let json = try JSON(parsing: page)
    let document = try Document(json: try #require(json["document"]))
    #expect(document.name == "projects/p/databases/(default)/documents/C/__id7__")
    #expect(document.fields["odd"]?.kind == .unknown)
    #expect(json["document"]?["fields"]?["odd"]?["exportedValue"]?["value"] == .string("CAU="))
    #expect(reader.unknownValues == ["odd (meaning 99)": 1])
  }

  /// Bytes that are no entity, and entities whose bytes were changed, must not crash the reader.
  @Test(arguments: FuzzCases.seeds(200, orMany: 20_000))
  func `broken entities are refused or read, and never crash`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let document = Document(
      name: "projects/p/databases/d/documents/C/x", fields: .exported(depth: 3, using: &random))
    var bytes = try EntityWriter.entity(of: document)
    for _ in 0..<random.integer(1...6) where !bytes.isEmpty {
      let index = random.integer(0...bytes.count - 1)
      if random.flip() {
        bytes[index] ^= 1 << UInt8(random.integer(0...7))
      } else {
        bytes.removeSubrange(index..<min(bytes.count, index + random.integer(1...9)))
      }
    }
    var reader = EntityReader(time: Timestamp(microseconds: 0))
    var page: [UInt8] = []
    do {
      try bytes.withUnsafeBytes { bytes in
        try reader.readName(of: bytes)
        try reader.append(bytes, to: &page)
      }
    } catch is ProtobufCursor.Malformed {
      return
    }
  }
}

extension [String: Value] {
  /// Fields that Firestore stores, with names of any characters.
  fileprivate static func exported(
    depth: Int, using random: inout SeededGenerator
  ) -> [String: Value] {
    var fields: [String: Value] = [:]
    for index in 0..<random.integer(0...6) {
      let name = random.pick("a", "b.c", "`", "\"\\", "ü", "line\n") + "\(index)"
      fields[name] = .exported(depth: depth, isElement: false, using: &random)
    }
    return fields
  }
}

extension Value {
  fileprivate static func exported(
    depth: Int, isElement: Bool, using random: inout SeededGenerator
  ) -> Value {
    switch random.integer(0...(depth > 0 ? (isElement ? 9 : 11) : 8)) {
    case 0: return .null
    case 1: return .boolean(random.flip())
    case 2: return .integer(random.pick(0, -1, .max, .min, 42))
    case 3:
      return .double(
        random.pick(0, -0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, 1.5e300))
    case 4:
      return .timestamp(
        random.pick(
          .init(microseconds: -62_135_596_800_000_000),
          .init(microseconds: 253_402_300_799_999_999), .init(microseconds: -1),
          .init(microseconds: 951_782_400_000_001)))
    case 5: return .string(random.pick("", "\0", "x\u{1}\n\"\\", "🤩", "é\u{301}"))
    case 6: return .bytes(Array(repeating: 0xFE, count: random.integer(0...5)))
    case 7: return .reference("projects/other/databases/(default)/documents/C/__id7__/D/ü")
    case 8: return .geoPoint(latitude: random.pick(0, -90, 48.5), longitude: random.pick(180, 0))
    case 9: return .map(.exported(depth: depth - 1, using: &random))
    case 10:
      return .array(
        (0..<random.integer(0...4)).map { _ in
          exported(depth: depth - 1, isElement: true, using: &random)
        })
    default:
      let coordinates = (0..<random.integer(1...3)).map { Value.double(Double($0) - 0.5) }
      return .map(["__type__": .string("__vector__"), "value": .array(coordinates)])
    }
  }
}
