import CZlib
package import Model

/// A table as a Parquet file: plain values, optional columns, a page for each column of a row
/// group.
///
/// `docs/decisions/031-export-formats.md` says why there is a writer of our own. Numbers of types,
/// encodings and codecs are those of apache/parquet-format, parquet.thrift.
package struct ParquetTable: TableWriter {
  /// Rows of a row group, as DuckDB writes them.
  static let groupRows = 122_880
  /// Bytes after which a row group ends early, so that memory stays flat.
  static let groupBytes = 16 << 20

  private static let magic = Array("PAR1".utf8)

  private let columns: [TableColumn]
  private let output: OutputBytes
  private let isGzip: Bool
  private let program: String
  private var chunks: [ParquetChunk]
  private var bytes = 0
  private var rows: Int64 = 0
  private var groups: [[UInt8]] = []

  /// Writes the file's head to a plain output, since Parquet compresses its pages itself.
  ///
  /// There is a type for each column. `program` is the name and version of the writer.
  ///
  /// - Throws: `FeedError.cannotWrite`.
  package init(
    _ columns: [TableColumn], types: [ParquetType], to output: OutputBytes, isGzip: Bool,
    program: String
  ) throws {
    self.columns = columns
    self.output = output
    self.isGzip = isGzip
    self.program = program
    chunks = types.map(ParquetChunk.init)
    try output.write(Self.magic)
  }

  /// Throws `FeedError.cannotWrite`, or `ChangedColumn`.
  package mutating func write(_ row: [TableCell]) throws {
    for position in row.indices {
      let before = chunks[position].values.count
      guard chunks[position].append(row[position]) else {
        throw ChangedColumn(name: columns[position].name)
      }
      bytes += chunks[position].values.count - before
    }
    rows += 1
    if bytes >= Self.groupBytes || chunks[0].count == Self.groupRows { try endGroup() }
  }

  package mutating func finish() throws {
    if chunks[0].count > 0 { try endGroup() }
    let footer = self.footer
    try output.write(footer)
    var end: [UInt8] = []
    end.append(littleEndian: UInt32(footer.count))
    try output.write(end + Self.magic)
    try output.finish()
  }

  private mutating func endGroup() throws {
    var written: [[UInt8]] = []
    let start = output.count
    var uncompressed: Int64 = 0
    for (position, chunk) in chunks.enumerated() {
      let (metadata, size) = try write(chunk, named: columns[position].name)
      written.append(metadata)
      uncompressed += size
    }
    var group = CompactThrift()
    group.structures(1, written)
    group.int64(2, uncompressed)
    group.int64(3, Int64(chunks[0].count))
    group.int64(5, start)
    group.int64(6, output.count - start)
    groups.append(group.bytes)
    for position in chunks.indices { chunks[position].removeAll() }
    bytes = 0
  }

  /// Writes a column's page; returns its ColumnChunk and its size with header before compression.
  private func write(
    _ chunk: ParquetChunk, named name: String
  ) throws -> (metadata: [UInt8], uncompressed: Int64) {
    let page = chunk.page
    let stored = isGzip ? try CompressedPage.gzip(page) : page
    let header = Self.pageHeader(
      rows: chunk.count, uncompressed: page.count, compressed: stored.count)
    let offset = output.count
    try output.write(header)
    try output.write(stored)
    let (plain, levels, gzip) = (0, 3, 2)
    let uncompressed = Int64(header.count + page.count)
    var metadata = CompactThrift()
    metadata.int32(1, chunk.type.number)
    metadata.int32s(2, [plain, levels])
    metadata.texts(3, [name])
    metadata.int32(4, isGzip ? gzip : 0)
    metadata.int64(5, Int64(chunk.count))
    metadata.int64(6, uncompressed)
    metadata.int64(7, Int64(header.count + stored.count))
    metadata.int64(9, offset)
    metadata.structure(12, chunk.statistics.thrift)
    var column = CompactThrift()
    column.int64(2, offset)
    column.structure(3, metadata)
    return (column.bytes, uncompressed)
  }

  private static func pageHeader(rows: Int, uncompressed: Int, compressed: Int) -> [UInt8] {
    let (dataPage, plain, levels) = (0, 0, 3)
    var data = CompactThrift()
    data.int32(1, rows)
    data.int32(2, plain)
    data.int32(3, levels)
    data.int32(4, levels)
    var header = CompactThrift()
    header.int32(1, dataPage)
    header.int32(2, uncompressed)
    header.int32(3, compressed)
    header.structure(5, data)
    return header.bytes
  }

  private var footer: [UInt8] {
    var root = CompactThrift()
    root.text(4, "schema")
    root.int32(5, columns.count)
    var file = CompactThrift()
    file.int32(1, 1)
    file.structures(2, [root.bytes] + zip(columns, chunks).map { $1.type.element(named: $0.name) })
    file.int64(3, rows)
    file.structures(4, groups)
    file.text(6, program)
    // Without the order of its type a column's bounds say nothing to a reader.
    var order = CompactThrift()
    order.structure(1, CompactThrift())
    file.structures(7, columns.map { _ in order.bytes })
    return file.bytes
  }
}

/// A query gave other kinds of values when it ran the second time, as one with `random()` may.
package struct ChangedColumn: Error, Hashable, CustomStringConvertible {
  package let name: String

  package var description: String {
    "The column '\(name)' has other kinds of values each time the query runs, so it fits no type "
      + "of Parquet. Give it a fixed type with CAST, or export another format."
  }
}

extension ParquetType {
  fileprivate var number: Int {
    switch self {
    case .integer, .instant: 2
    case .real: 5
    case .text, .blob: 6
    }
  }

  /// The SchemaElement of an optional column.
  fileprivate func element(named name: String) -> [UInt8] {
    var element = CompactThrift()
    element.int32(1, number)
    element.int32(3, 1)
    element.text(4, name)
    guard let converted = convertedType, let logicalType else { return element.bytes }
    element.int32(6, converted)
    element.structure(10, logicalType)
    return element.bytes
  }

  /// What old readers know of it: UTF8 or TIMESTAMP_MICROS; nil for a plain number or bytes.
  private var convertedType: Int? {
    switch self {
    case .text: 0
    case .instant: 10
    case .integer, .real, .blob: nil
    }
  }

  /// What new readers know of it: STRING, or TIMESTAMP of microseconds in UTC.
  private var logicalType: CompactThrift? {
    var type = CompactThrift()
    switch self {
    case .text: type.structure(1, CompactThrift())
    case .instant:
      var unit = CompactThrift()
      unit.structure(2, CompactThrift())
      var timestamp = CompactThrift()
      timestamp.boolean(1, true)
      timestamp.structure(2, unit)
      type.structure(8, timestamp)
    case .integer, .real, .blob: return nil
    }
    return type
  }
}

enum CompressedPage {
  /// A whole gzip file with these bytes.
  ///
  /// Throws `FeedError.cannotWrite` when memory is short.
  static func gzip(_ bytes: [UInt8]) throws(FeedError) -> [UInt8] {
    // zlib keeps the stream's address.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    // 15 bits of window, and 16 for gzip's header.
    let status = deflateInit2_(
      stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw .cannotWrite(path: "gzip", reason: "not enough memory") }
    defer { deflateEnd(stream) }
    var input = bytes
    return [UInt8](
      unsafeUninitializedCapacity: Int(deflateBound(stream, UInt(bytes.count)))
    ) { output, count in
      input.withUnsafeMutableBufferPointer { input in
        stream.pointee.next_in = input.baseAddress
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        deflate(stream, Z_FINISH)
      }
      count = Int(stream.pointee.total_out)
    }
  }
}
