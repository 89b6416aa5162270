import Glibc
import Platform

/// The content of an export's metadata files; see `docs/managed-exports.md#files`.
struct ExportMetadata: Hashable, Sendable {
  /// A set of outputs: all collections, or those of one id.
  struct Part: Hashable, Sendable {
    /// The collection id; nil for all collections.
    var collectionId: String?
    /// The path of the inner metadata, relative to the overall file's folder.
    var path: String
    /// The number of records in all of its outputs.
    var entityCount: Int
    /// The total size of its outputs.
    var byteCount: Int
  }

  /// The content of an inner metadata file.
  struct Outputs: Hashable, Sendable {
    var name = ""
    var begin = Timestamp(microseconds: 0)
    var end = Timestamp(microseconds: 0)
    /// The paths of the output files, relative to the metadata's folder.
    var files: [String] = []
  }

  static let version = "3"
  static let overallSuffix = ".overall_export_metadata"
  static let innerPath = "all_namespaces/all_kinds/all_namespaces_all_kinds.export_metadata"
  /// The maximum size of a metadata file in bytes.
  static let longest = 4 << 20

  /// Reads the overall file's parts.
  static func parts(of path: String) throws -> [Part] {
    let reader = try RecordLogReader(path)
    var version = ""
    _ = try reader.next { version = String(decoding: $0, as: UTF8.self) }
    guard version == Self.version else {
      throw ExportError(
        path,
        "has the version '\(WireError.quoted(version))', and only version \(Self.version) is known")
    }
    var parts: [Part] = []
    let isThere = try reader.next { bytes in
      try understood(path) { () throws(ProtobufCursor.Malformed) in
        var cursor = ProtobufCursor(bytes)
        while let field = try cursor.field() {
          guard field.number == 1, field.type == .bytes else {
            try cursor.skip(field.type)
            continue
          }
          parts.append(try part(bytes, try cursor.range()))
        }
      }
    }
    guard isThere, !parts.isEmpty else { throw ExportError(path, "names no outputs") }
    for part in parts where !isInside(part.path) {
      throw ExportError(path, "names a file outside of the export")
    }
    return parts
  }

  private static func part(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>
  ) throws(ProtobufCursor.Malformed) -> Part {
    var cursor = ProtobufCursor(bytes, range)
    var part = Part(collectionId: nil, path: "", entityCount: 0, byteCount: 0)
    while let field = try cursor.field() {
      switch (field.number, field.type) {
      case (1, .bytes): part.collectionId = try collectionId(bytes, try cursor.range())
      case (2, .bytes): part.path = String(decoding: bytes[try cursor.range()], as: UTF8.self)
      case (3, .varint): part.entityCount = Int(clamping: try cursor.varint())
      case (4, .varint): part.byteCount = Int(clamping: try cursor.varint())
      default: try cursor.skip(field.type)
      }
    }
    return part
  }

  private static func collectionId(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>
  ) throws(ProtobufCursor.Malformed) -> String? {
    var cursor = ProtobufCursor(bytes, range)
    var isOne = false
    var id: String?
    while let field = try cursor.field() {
      switch (field.number, field.type) {
      case (1, .varint): isOne = try cursor.varint() == 1
      case (2, .bytes): id = String(decoding: bytes[try cursor.range()], as: UTF8.self)
      default: try cursor.skip(field.type)
      }
    }
    return isOne ? id : nil
  }

  /// Reads an inner metadata file.
  static func outputs(of path: String) throws -> Outputs {
    let content: [UInt8]?
    do {
      content = try RegularFile.bytes(of: path, limit: longest)
    } catch {
      throw ExportError(path, "cannot be read: \(error.reason)")
    }
    guard let content else { throw ExportError(path, "is too long for the metadata of an export") }
    var outputs = Outputs()
    try content.withUnsafeBytes { bytes in
      try understood(path) { () throws(ProtobufCursor.Malformed) in
        try read(bytes, into: &outputs)
      }
    }
    guard outputs.begin.microseconds > 0, outputs.end >= outputs.begin else {
      throw ExportError(path, "does not say when the export began and ended")
    }
    for file in outputs.files where !isInside(file) {
      throw ExportError(path, "names a file outside of the export")
    }
    return outputs
  }

  private static func read(
    _ bytes: UnsafeRawBufferPointer, into outputs: inout Outputs
  ) throws(ProtobufCursor.Malformed) {
    var cursor = ProtobufCursor(bytes)
    while let field = try cursor.field() {
      guard field.number <= 2, field.type == .bytes else {
        try cursor.skip(field.type)
        continue
      }
      var inner = ProtobufCursor(bytes, try cursor.range())
      while let part = try inner.field() {
        switch (field.number, part.number, part.type) {
        case (1, 1, .bytes):
          outputs.name = String(decoding: bytes[try inner.range()], as: UTF8.self)
        case (1, 2, .varint):
          outputs.begin = Timestamp(microseconds: Int64(clamping: try inner.varint()))
        case (1, 3, .varint):
          outputs.end = Timestamp(microseconds: Int64(clamping: try inner.varint()))
        case (2, 2, .bytes):
          outputs.files.append(String(decoding: bytes[try inner.range()], as: UTF8.self))
        default: try inner.skip(part.type)
        }
      }
    }
  }

  private static func understood(
    _ path: String, _ body: () throws(ProtobufCursor.Malformed) -> Void
  ) throws(ExportError) {
    do {
      try body()
    } catch {
      throw ExportError(path, "is not the metadata of an export")
    }
  }

  /// Returns whether a path is inside its folder.
  private static func isInside(_ path: String) -> Bool {
    !path.isEmpty && !path.hasPrefix("/") && !ResourceName.ids(in: path).contains("..")
  }
}

/// The bytes of the files, for a writer.
extension ExportMetadata {
  static func overall(_ parts: [Part]) -> [UInt8] {
    var message = ProtobufWriter()
    for part in parts {
      message.addMessage(1) { pointer in
        pointer.addMessage(1) {
          $0.add(1, integer: 2)
          $0.add(3, integer: 3)
        }
        pointer.add(2, text: part.path)
        pointer.add(3, integer: Int64(part.entityCount))
        pointer.add(4, integer: Int64(part.byteCount))
      }
    }
    var log = RecordLogWriter()
    log.append(Array(version.utf8))
    log.append(message.bytes)
    return log.take()
  }

  static func inner(_ outputs: Outputs) -> [UInt8] {
    var message = ProtobufWriter()
    message.addMessage(1) {
      $0.add(1, text: outputs.name)
      $0.add(2, integer: outputs.begin.microseconds)
      $0.add(3, integer: outputs.end.microseconds)
    }
    message.addMessage(2) { kind in
      kind.add(1, text: "")
      for file in outputs.files { kind.add(2, text: file) }
    }
    return message.bytes
  }
}
