import Glibc
import Model

/// A file to import, in its state when the import began.
struct ExportedFile: Hashable, Sendable {
  /// The path as given.
  let path: String
  /// The absolute path with folder links resolved; the path as given unless it is a regular file.
  let place: String
  /// The parsed name; of an unknown table unless the path is a regular file.
  let name: ExportFileName
  /// Size and modification time; empty unless the path is a regular file.
  let version: String
  /// In bytes; nil unless the path is a regular file.
  let size: Int?

  init(path: String) {
    self.path = path
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      place = path
      name = ExportFileName(path: "")
      version = ""
      size = nil
      return
    }
    place = Self.place(of: path)
    name = ExportFileName(path: place)
    version = "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    size = Int(status.st_size)
  }

  /// Returns the absolute path; a link keeps its own name, which may name the table.
  private static func place(of path: String) -> String {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "."
    guard let real = realpath(folder, nil) else { return path }
    defer { free(real) }
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    let root = String(cString: real)
    return root == "/" ? "/\(name)" : "\(root)/\(name)"
  }
}

/// Files of one export of a table, or one file of an unknown table.
struct ExportedSet {
  var files: [ExportedFile]

  private init(_ file: ExportedFile) { files = [file] }

  /// The day in the files' names; nil for a file of an unknown table.
  var day: Int? { files.first?.name.day }
  private var table: ExportFileName.Table { files.first?.name.table ?? .unknown }

  /// Groups files into sets: unknown tables first, winning tables last.
  static func sets(of files: [ExportedFile]) -> [ExportedSet] {
    var sets: [ExportedSet] = []
    for file in files {
      if let place = sets.firstIndex(where: { $0.takes(file) }) {
        if !sets[place].files.contains(file) { sets[place].files.append(file) }
      } else {
        sets.append(ExportedSet(file))
      }
    }
    return sets.enumerated()
      .sorted { ($0.element.table, $0.offset) < ($1.element.table, $1.offset) }
      .map(\.element)
  }

  private func takes(_ file: ExportedFile) -> Bool {
    guard let name = files.first?.name, name.table != .unknown else { return false }
    return (name.table, name.day, name.series) == (file.name.table, file.name.day, file.name.series)
      && name.isWholeTable == file.name.isWholeTable
      // The same part of another export, such as an unpacked file beside the packed one.
      && !files.contains { $0.name.part == file.name.part && $0.place != file.place }
  }

  /// Returns the parts of the table that exist in its folder.
  func presentParts() -> Set<String> {
    guard let file = files.first, let slash = file.place.lastIndex(of: "/"),
      let folder = opendir(String(file.place[...slash]))
    else { return [] }
    defer { closedir(folder) }
    var parts: Set<String> = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let other = ExportFileName(path: file.place[...slash] + name)
      if other.day == file.name.day, other.table == file.name.table,
        other.series == file.name.series
      {
        parts.insert(other.part)
      }
    }
    return parts
  }
}
