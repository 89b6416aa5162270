import Glibc
import Platform

/// A managed export in a folder, as written by `gcloud firestore export` and the emulators; see
/// `docs/managed-exports.md`.
package struct ManagedExport: Hashable, Sendable {
  /// The given path, of the folder or of the file.
  package let path: String
  package let name: String
  /// The start of the export, no later than the first document was read.
  package let begin: Timestamp
  /// The end of the export, no earlier than the last document was read.
  package let end: Timestamp
  /// The database that the documents belong to; nil for an export without documents.
  package let root: ResourceName?
  private let parts: [(id: String?, files: [String], entityCount: Int)]

  /// The number of documents in the export.
  package var documentCount: Int { parts.reduce(0) { $0 + $1.entityCount } }

  /// The collection ids that the export is limited to; nil when it has all collections.
  package var collectionIds: Set<String>? {
    let ids = parts.map(\.id)
    return ids.contains(nil) ? nil : Set(ids.compactMap(\.self))
  }

  /// A text that identifies an export even after it was moved: its name, times and documents.
  package var identity: String {
    "\(name) \(begin.microseconds) \(end.microseconds) \(documentCount)"
  }

  /// Reads the metadata of the export in a folder, or of an overall file, and its first record.
  ///
  /// - Throws: `ExportError` for a folder that holds no export, or several, and for an export with
  ///   a missing or damaged file.
  package init(at path: String) throws {
    let overall = try Self.overallFile(in: path)
    self.path = path
    let folder = Self.folder(of: overall)
    let read = try ExportMetadata.parts(of: overall).map { part in
      let metadata = "\(folder)/\(part.path)"
      return (part, metadata, try ExportMetadata.outputs(of: metadata))
    }
    name = read[0].2.name
    begin = read.map(\.2.begin).min() ?? read[0].2.begin
    end = read.map(\.2.end).max() ?? read[0].2.end
    parts = read.map { part, metadata, outputs in
      let inner = Self.folder(of: metadata)
      return (part.collectionId, outputs.files.map { "\(inner)/\($0)" }, part.entityCount)
    }
    for file in parts.flatMap(\.files) {
      var status = stat()
      guard stat(file, &status) == 0 else {
        throw ExportError(
          file, "is missing, and the export's metadata names it. Copy the whole folder again")
      }
    }
    root = try Self.root(of: parts.flatMap(\.files))
  }

  /// Returns the database of the first document.
  private static func root(of files: [String]) throws -> ResourceName? {
    for file in files {
      var entity = EntityReader(time: Timestamp(microseconds: 0))
      let isThere = try RecordLogReader(file).next { try entity.readName(of: $0) }
      guard isThere else { continue }
      let name = try ResourceName(parsing: String(decoding: entity.name, as: UTF8.self))
      return ResourceName(project: name.project, database: name.database)
    }
    return nil
  }

  /// Returns the overall metadata file for a path: the path itself, or the only such file in the
  /// folder or in one of its folders, or the one that is named by the file of Firebase's tools.
  private static func overallFile(in path: String) throws -> String {
    if path.hasSuffix(ExportMetadata.overallSuffix) { return path }
    if let named = try firebaseFile(in: path) { return named }
    let names = try self.names(in: path)
    var found = names.filter { $0.hasSuffix(ExportMetadata.overallSuffix) }
    if found.isEmpty {
      found = names.flatMap { folder in
        let file = "\(folder)/\(folder)\(ExportMetadata.overallSuffix)"
        return access("\(path)/\(file)", F_OK) == 0 ? [file] : []
      }
    }
    guard let file = found.first else {
      throw ExportError(
        path, "holds no managed export: no file in it ends in \(ExportMetadata.overallSuffix)")
    }
    guard found.count == 1 else {
      throw ExportError(
        path, "holds several exports; name one of them: \(found.joined(separator: ", "))")
    }
    return "\(path)/\(file)"
  }

  /// Returns the path in `firebase-export-metadata.json`; nil without that file.
  private static func firebaseFile(in path: String) throws -> String? {
    let file = "\(path)/\(ExportWriter.firebaseFile)"
    guard access(file, F_OK) == 0 else { return nil }
    do {
      let bytes = try RegularFile.bytes(of: file, limit: ExportMetadata.longest) ?? []
      let json = try JSON(parsing: bytes)
      guard case .string(let name)? = json["firestore"]?["metadata_file"] else { return nil }
      return "\(path)/\(name)"
    } catch {
      throw ExportError(file, "cannot be read as JSON")
    }
  }

  private static func names(in folder: String) throws -> [String] {
    guard let stream = opendir(folder) else {
      throw ExportError(folder, "cannot be read: \(SystemError.text(errno))")
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  private static func folder(of path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  package static func == (left: ManagedExport, right: ManagedExport) -> Bool {
    left.path == right.path && left.identity == right.identity
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(identity)
  }

  /// Returns a reader of the documents with that origin; nil reads all.
  package func reader(of origin: DocumentOrigin? = nil) -> ExportReader {
    ExportReader(path, parts.map { ($0.files, $0.entityCount) }, root: root, end: end, origin)
  }
}

/// A reader of an export's documents, once, in the order of its files, with constant memory.
package struct ExportReader {
  private let path: String
  private let root: [UInt8]
  private let origin: DocumentOrigin?
  private var parts: [(files: [String], entityCount: Int)]
  private var log: RecordLogReader?
  private var file = ""
  private var entity: EntityReader
  /// The number of records read in the current part.
  private var partCount = 0
  /// The number of records read so far, of any origin.
  package private(set) var recordCount = 0

  /// The number of values of kinds that no Firestore export is known to have, by field.
  package var unknownValues: [String: Int] { entity.unknownValues }

  init(
    _ path: String, _ parts: [(files: [String], entityCount: Int)], root: ResourceName?,
    end: Timestamp, _ origin: DocumentOrigin?
  ) {
    self.path = path
    self.parts = parts
    self.origin = origin
    self.root = Array("\(root?.description ?? "")/".utf8)
    entity = EntityReader(time: end)
  }

  /// Fills `page` with the next documents, in the form of an answer to a query.
  ///
  /// The page ends after `documents` of them, or with the one that makes it `byteCount` long.
  ///
  /// - Returns: the number of its documents; nil at the end, once the records of all parts were
  ///   counted.
  /// - Throws: `ExportError` for an export that is damaged, or has fewer records than its metadata
  ///   states: everything read from it must be discarded then.
  package mutating func nextPage(
    into page: inout [UInt8], documents: Int, byteCount: Int = 4 << 20
  ) throws -> Int? {
    page.removeAll(keepingCapacity: true)
    page.append(UInt8(ascii: "["))
    var count = 0
    while count < documents, page.count < byteCount {
      guard let isWanted = try readRecord(into: &page, isFirst: count == 0) else {
        if count == 0 { return nil }
        break
      }
      if isWanted { count += 1 }
    }
    page.append(UInt8(ascii: "]"))
    return count
  }

  /// Reads one record; nil at the end, false for a document of another origin.
  private mutating func readRecord(into page: inout [UInt8], isFirst: Bool) throws -> Bool? {
    while true {
      guard let log = try openLog() else { return nil }
      var isWanted = false
      // The record is read in place: a copy of the reader would copy its buffers for each record.
      let isThere = try log.next { bytes in
        do {
          try entity.readName(of: bytes)
          guard entity.name.starts(with: root) else {
            throw ExportError(file, "holds documents of several databases")
          }
          isWanted = origin.map { origin in entity.name.withUnsafeBytes(origin.holds) } ?? true
          guard isWanted else { return }
          if !isFirst { page.append(UInt8(ascii: ",")) }
          try entity.append(bytes, to: &page)
        } catch is ProtobufCursor.Malformed {
          throw ExportError(file, "holds a record that is not a document")
        }
      }
      guard isThere else {
        self.log = nil
        continue
      }
      recordCount += 1
      partCount += 1
      return isWanted
    }
  }

  /// Returns the log to continue with; nil at the end.
  private mutating func openLog() throws -> RecordLogReader? {
    if let log { return log }
    while !parts.isEmpty {
      guard !parts[0].files.isEmpty else {
        let part = parts.removeFirst()
        guard part.entityCount == partCount else {
          throw ExportError(
            path,
            "is not whole: its metadata counts \(part.entityCount) documents, and its outputs hold "
              + "\(partCount). Copy it again")
        }
        partCount = 0
        continue
      }
      file = parts[0].files.removeFirst()
      log = try RecordLogReader(file)
      return log
    }
    return nil
  }
}
