import Feeds
import Glibc
import Model
import Platform
package import Workspace

/// The list of unreadable lines: `file:line: reason: beginning of the line`.
///
/// Only one line of the list is in memory at a time. When a file is read again, its new lines
/// replace its old ones, at the end of the list; the replacement is atomic.
package struct RejectsFile {
  let path: String
  let file: String
  /// The new list; nil until it differs from the present one.
  private(set) var draft: DraftFile?

  mutating func add(_ rejections: [GA4Export.Rejection]) throws(WorkspaceError) {
    guard !rejections.isEmpty else { return }
    if draft == nil { draft = try Self.draft(of: path, without: isOfFile) }
    for rejection in rejections {
      let text = rejection.text.map { $0.isNewline ? " " : String($0) }.joined()
      try draft?.write("\(file):\(rejection.line): \(rejection.reason): \(text)\n")
    }
  }

  /// Replaces the lines of the file that was read; other files' lines stay.
  mutating func write() throws(WorkspaceError) {
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
  ) throws(WorkspaceError) -> Int {
    var count = 0
    try eachLine(of: path) { if isMeant($0) { count += 1 } }
    return count
  }

  /// Copies the list without the matching lines into a draft.
  private static func draft(
    of path: String, without isMeant: (UnsafeRawBufferPointer) -> Bool
  ) throws(WorkspaceError) -> DraftFile {
    let draft = try DraftFile(for: path)
    try eachLine(of: path) { line throws(WorkspaceError) in
      if !isMeant(line) { try draft.write(line) }
    }
    return draft
  }

  /// Passes on the lines of a list with their line ends; none if the list is missing.
  private static func eachLine(
    of path: String, _ body: (UnsafeRawBufferPointer) throws(WorkspaceError) -> Void
  ) throws(WorkspaceError) {
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

/// Rejected lines, and lines of logs, that name a person; see `docs/privacy.md#erase-a-person`.
extension RejectsFile {
  /// Counts the lines of a file that have the id as a word, plain or JSON-escaped.
  package static func count(of id: String, in path: String) throws(WorkspaceError) -> Int {
    try count(in: path, where: naming(id))
  }

  /// Removes the lines that name the id, atomically.
  package static func removeLines(naming id: String, in path: String) throws(WorkspaceError) {
    guard try count(of: id, in: path) > 0 else { return }
    try draft(of: path, without: naming(id)).finish()
  }

  private static func naming(_ id: String) -> (UnsafeRawBufferPointer) -> Bool {
    let words = WholeWord.written(id).map { Array($0.utf8) }
    return { line in words.contains { WholeWord.isFound($0, in: line) } }
  }
}

extension DraftFile {
  fileprivate func write(_ text: String) throws(WorkspaceError) {
    let bytes = Array(text.utf8)
    try bytes.withUnsafeBufferPointer { bytes throws(WorkspaceError) in
      try write(UnsafeRawBufferPointer(bytes))
    }
  }
}
