import FoundationEssentials
import Glibc
import Platform

/// A writer of managed exports in the form of Google's emulator; see
/// `docs/managed-exports.md#writing`.
///
/// The files are written into a temporary folder next to the export, which gets the export's name
/// once everything is on the disk.
package struct ExportWriter {
  /// The file in the export's folder for `firebase emulators:start --import`.
  package static let firebaseFile = "firebase-export-metadata.json"
  /// The name of the folder with the Firestore part.
  package static let folderName = "firestore_export"
  /// Documents of one output, and how many outputs there are before they get longer.
  static let documentsPerOutput = 5_000

  private let folder: String
  private let temporary: String
  private var outputs: ExportMetadata.Outputs
  private var log = RecordLogWriter()
  private var number: Int32 = -1
  private var outputCount = 0
  private var count = 0
  private var byteCount = 0

  private var inner: String { "\(temporary)/\(Self.folderName)/all_namespaces/all_kinds" }

  /// Begins an export in `folder`, which must not exist or must be an export, which is then
  /// replaced.
  ///
  /// - Throws: `ExportError`.
  package init(to folder: String, begin: Timestamp) throws(ExportError) {
    self.folder = folder
    temporary = "\(folder).\(getpid()).part"
    outputs = ExportMetadata.Outputs(name: Self.folderName, begin: begin, end: begin)
    if access(folder, F_OK) == 0, access("\(folder)/\(Self.firebaseFile)", F_OK) != 0,
      rmdir(folder) != 0
    {
      throw ExportError(folder, "exists and is not an export, so it is not replaced")
    }
    var path = temporary
    try Self.makeFolder(path)
    for part in [Self.folderName, "all_namespaces", "all_kinds"] {
      path += "/\(part)"
      try Self.makeFolder(path)
    }
  }

  /// Adds a document, in any order.
  ///
  /// - Throws: `WireError` for a value that an export cannot hold, or `ExportError`.
  package mutating func add(_ document: Document) throws {
    let entity = try EntityWriter.entity(of: document)
    if number < 0 || outputCount == Self.documentsPerOutput { try beginOutput() }
    log.append(entity)
    outputCount += 1
    count += 1
    if log.bytes.count > 1 << 20 { try flush() }
  }

  /// Writes everything to the disk and gives the folder its name.
  ///
  /// - Returns: the number of documents.
  package mutating func finish(end: Timestamp) throws(ExportError) -> Int {
    if number < 0 { try beginOutput() }
    try endOutput()
    outputs.end = max(end, outputs.begin)
    let name = "\(Self.folderName)\(ExportMetadata.overallSuffix)"
    let part = ExportMetadata.Part(
      collectionId: nil, path: ExportMetadata.innerPath, entityCount: count, byteCount: byteCount)
    let root = "\(temporary)/\(Self.folderName)"
    try Self.write(ExportMetadata.inner(outputs), to: "\(root)/\(ExportMetadata.innerPath)")
    try Self.write(ExportMetadata.overall([part]), to: "\(root)/\(name)")
    let json = JSON.object([
      "version": .string("13.0.0"),
      "firestore": .object([
        "version": .string("1.19.8"), "path": .string(Self.folderName),
        "metadata_file": .string("\(Self.folderName)/\(name)"),
      ]),
    ])
    try Self.write(json.serialized(isIndented: true), to: "\(temporary)/\(Self.firebaseFile)")
    try replace()
    return count
  }

  /// Replaces the previous folder with the new one and removes the previous one.
  private func replace() throws(ExportError) {
    // Nothing is lost between the two renames: the old export is next to the folder.
    let old = "\(folder).\(getpid()).old"
    let hadOld = rename(folder, old) == 0
    guard rename(temporary, folder) == 0 else {
      let code = errno
      if hadOld { rename(old, folder) }
      throw ExportError(folder, "cannot be written: \(SystemError.text(code))")
    }
    if hadOld { Self.remove(old) }
  }

  /// Removes the temporary files after an error.
  package func discard() {
    if number >= 0 { close(number) }
    Self.remove(temporary)
  }

  private static func remove(_ folder: String) {
    do {
      try FileManager.default.removeItem(atPath: folder)
    } catch {
      // Files that cannot be removed stay next to the export and are never read.
    }
  }

  private mutating func beginOutput() throws(ExportError) {
    if number >= 0 { try endOutput() }
    let name = "output-\(outputs.files.count)"
    outputs.files.append(name)
    do {
      number = try RegularFile.open("\(inner)/\(name)", O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    } catch {
      throw ExportError("\(inner)/\(name)", "cannot be written: \(error.reason)")
    }
    log = RecordLogWriter()
    outputCount = 0
  }

  private mutating func flush() throws(ExportError) {
    try Self.write(log.take(), number, "\(inner)/\(outputs.files.last ?? "")")
  }

  private mutating func endOutput() throws(ExportError) {
    try flush()
    byteCount += log.count
    let isSynced = fsync(number) == 0
    let code = errno
    close(number)
    number = -1
    guard isSynced else { throw ExportError(inner, "cannot be written: \(SystemError.text(code))") }
  }

  private static func makeFolder(_ path: String) throws(ExportError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw ExportError(path, "cannot be made: \(SystemError.text(errno))")
    }
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(ExportError) {
    let number: Int32
    do {
      number = try RegularFile.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
    } catch {
      throw ExportError(path, "cannot be written: \(error.reason)")
    }
    defer { close(number) }
    try write(bytes, number, path)
    guard fsync(number) == 0 else {
      throw ExportError(path, "cannot be written: \(SystemError.text(errno))")
    }
  }

  private static func write(
    _ bytes: [UInt8], _ number: Int32, _ path: String
  ) throws(ExportError) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        Glibc.write(number, bytes.baseAddress.map { $0 + start }, bytes.count - start)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw ExportError(path, "cannot be written: \(SystemError.text(errno))")
      }
      start += count
    }
  }
}
