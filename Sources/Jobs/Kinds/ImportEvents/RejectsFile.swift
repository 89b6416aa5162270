import Feeds
import Glibc
import Model
import Platform
package import Workspace

/// Where lines that could not be read are listed: `file:line: reason: beginning of the line`.
///
/// One line of the list is in memory at a time. A file that is read again takes its lines out of
/// the list and puts the present ones behind those of other files, all at once or not at all.
package struct RejectsFile {
  let path: String
  let file: String
  /// The new list, as soon as it differs from the present one.
  private(set) var draft: DraftFile?

  mutating func add(_ rejections: [GA4Export.Rejection]) throws(JobsError) {
    guard !rejections.isEmpty else { return }
    if draft == nil { draft = try Self.draft(of: path, without: isOfFile) }
    for rejection in rejections {
      let text = rejection.text.map { $0.isNewline ? " " : String($0) }.joined()
      try draft?.write("\(file):\(rejection.line): \(rejection.reason): \(text)\n")
    }
  }

  /// Replaces what the list says of the file that was read; other files' lines stay.
  mutating func write() throws(JobsError) {
    if draft == nil, try Self.count(in: path, where: isOfFile) > 0 {
      draft = try Self.draft(of: path, without: isOfFile)
    }
    try draft?.finish()
    draft = nil
  }

  private var isOfFile: (UnsafeRawBufferPointer) -> Bool {
    let prefix = Array("\(file):".utf8)
    return { $0.starts(with: prefix) }
  }

  private static func count(
    in path: String, where isMeant: (UnsafeRawBufferPointer) -> Bool
  ) throws(JobsError) -> Int {
    var count = 0
    try eachLine(of: path) { if isMeant($0) { count += 1 } }
    return count
  }

  /// A list with the other lines.
  private static func draft(
    of path: String, without isMeant: (UnsafeRawBufferPointer) -> Bool
  ) throws(JobsError) -> DraftFile {
    let draft = try DraftFile(for: path)
    try eachLine(of: path) { line throws(JobsError) in
      if !isMeant(line) { try draft.write(line) }
    }
    return draft
  }

  /// Hands over the lines of a list with their ends; none of a list that is not there.
  private static func eachLine(
    of path: String, _ body: (UnsafeRawBufferPointer) throws(JobsError) -> Void
  ) throws(JobsError) {
    let number: Int32
    do throws(RegularFile.Refusal) {
      number = try RegularFile.open(path, O_RDONLY)
    } catch {
      guard error.code != ENOENT else { return }
      throw .cannot("read", path, code: error.code, error.special)
    }
    guard let list = fdopen(number, "r") else {
      close(number)
      throw .cannot("read", path, code: ENOMEM)
    }
    defer { fclose(list) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while case let count = getline(&line, &capacity, list), count > 0 {
      try body(UnsafeRawBufferPointer(start: line, count: count))
    }
  }
}

/// Lists of rejected lines, and logs, that name a person; see `docs/privacy.md#erase-a-person`.
extension RejectsFile {
  /// How many lines of a file have the id as a word, as it is or as JSON writes it.
  package static func count(of id: String, in path: String) throws(JobsError) -> Int {
    try count(in: path, where: naming(id))
  }

  /// Removes those lines, all at once or not at all.
  package static func removeLines(naming id: String, in path: String) throws(JobsError) {
    guard try count(of: id, in: path) > 0 else { return }
    try draft(of: path, without: naming(id)).finish()
  }

  private static func naming(_ id: String) -> (UnsafeRawBufferPointer) -> Bool {
    let words = WholeWord.written(id).map { Array($0.utf8) }
    return { line in words.contains { WholeWord.isFound($0, in: line) } }
  }
}

extension DraftFile {
  fileprivate func write(_ text: String) throws(JobsError) {
    let bytes = Array(text.utf8)
    try bytes.withUnsafeBufferPointer { bytes throws(JobsError) in
      try write(UnsafeRawBufferPointer(bytes))
    }
  }
}
