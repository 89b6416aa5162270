import Firestore
import Testing

@testable import Sync

/// What samples say about fields.
@Suite struct SampleTallyTests {
  private static let written = Timestamp(microseconds: 1_769_846_400_000_000)

  private func profile(_ documents: [[String: Value]]) -> CollectionProfile {
    let tally = SampleTally()
    for (number, fields) in documents.enumerated() {
      tally.add(
        Document(
          name: "projects/p/databases/(default)/documents/C/\(number)", fields: fields,
          createTime: Self.written, updateTime: Self.written))
    }
    return tally.profile
  }

  private func paths(_ profile: CollectionProfile) -> [String] {
    profile.fields.map(\.path.description)
  }

  @Test func `no documents have no fields and no candidates`() {
    let empty = profile([])
    #expect(empty.fields.isEmpty && empty.documentCount == 0)
    #expect(empty.incrementalCandidates.isEmpty)
  }

  @Test func `maps are paths, arrays have elements, and null is not missing`() throws {
    let found = profile([
      [
        "a": .map(["b": .integer(1), "odd name": .null]),
        "items": .array([.map(["sku": .string("x")]), .map([:])]), "tags": .array([]),
      ],
      ["a": .null, "items": .null],
    ])
    #expect(
      paths(found) == [
        "a", "a.b", "a.`odd name`", "items", "items[]", "items[].sku", "tags",
      ])
    let byPath = Dictionary(uniqueKeysWithValues: found.fields.map { ($0.path.description, $0) })
    let a = try #require(byPath["a"])
    #expect(a.kinds == [.init(kind: .null, count: 1), .init(kind: .map, count: 1)])
    #expect(a.missing == 0)
    #expect(byPath["a.b"]?.missing == 1)
    #expect(byPath["a.`odd name`"]?.kinds == [.init(kind: .null, count: 1)])
    #expect(byPath["items"]?.lengths == 2...2)
    #expect(byPath["items[].sku"]?.of == 2 && byPath["items[].sku"]?.missing == 1)
    #expect(byPath["tags"]?.lengths == 0...0 && byPath["tags"]?.missing == 1)
  }

  @Test func `a vector is one value, and numbers that SQLite or a double lacks are noted`() {
    let vector = Value.map([
      "__type__": .string("__vector__"), "value": .array([.double(1)]),
    ])
    let found = profile([
      [
        "v": vector, "nan": .double(.nan), "big": .integer((1 << 53) + 1),
        "edge": .integer(1 << 53), "least": .integer(.min),
      ]
    ])
    #expect(
      found.fields.first { $0.path.description == "v" }?.kinds == [.init(kind: .vector, count: 1)])
    #expect(paths(found).count == 5)
    #expect(
      found.fields.filter(\.hasUnusualNumber).map(\.path.description) == ["big", "least", "nan"])
  }

  @Test(arguments: [(20, false), (21, true)])
  func `more than 20 keys, each in few of the maps, are data`(keys: Int, isData: Bool) {
    let found = profile((0..<keys).map { ["scores": .map(["k\($0)": .integer(1)])] })
    #expect(paths(found).contains("scores.*") == isData)
    #expect(paths(found).contains("scores.k0") == !isData)
  }

  /// Documents that all have three fields, one a map, and one of so many others each.
  private func mixed(_ rare: Int, in count: Int = 40) -> [[String: Value]] {
    (0..<count).map { number in
      [
        "status": .string("x"), "updatedAt": .timestamp(Self.written), "map": .map(["a": .null]),
        "rare\(number % rare)": .integer(1),
      ]
    }
  }

  @Test(arguments: [17, 18, 19, 40])
  func `rare fields beside those of every document are names, and changes are followed`(
    rare: Int
  ) {
    let found = profile(mixed(rare))
    #expect(found.fields.count == rare + 4)
    #expect(!paths(found).contains("*"))
    #expect(found.changeField?.field.description == "updatedAt")
  }

  @Test(arguments: [17, 18, 40])
  func `rare keys beside those of every map inside documents are names`(rare: Int) {
    let found = profile(mixed(rare).map { ["inside": .map($0)] })
    #expect(found.fields.count == rare + 5)
    #expect(!paths(found).contains("inside.*"))
    let elements = profile([["list": .array(mixed(rare).map { .map($0) })]])
    #expect(!paths(elements).contains("list[].*") && elements.fields.count == rare + 6)
  }

  /// 21 keys of which one is in so many of 84 maps, and the others in 4 each.
  @Test(arguments: [(20, true), (21, false)])
  func `a key in a quarter of the maps is a name`(often: Int, isData: Bool) {
    let found = profile(
      (0..<84).map { number in
        let rare = ["k\(number % 21)": Value.integer(1)].filter { $0.key != "k0" }
        let frequent: [String: Value] = number < often ? ["k0": .integer(1)] : [:]
        return ["m": .map(rare.merging(frequent) { first, _ in first })]
      })
    #expect(paths(found).contains("m.*") == isData)
  }

  @Test(arguments: [200, 201, 999])
  func `a document's own fields are names, however many`(count: Int) {
    let fields = Dictionary(uniqueKeysWithValues: (0..<count).map { ("k\($0)", Value.null) })
    #expect(profile([fields]).fields.count == count)
    #expect(profile([fields, fields]).fields.count == count)
  }

  @Test func `documents whose fields are data have one path, however many`() {
    let found = profile(
      (0..<40).map { document in
        Dictionary(uniqueKeysWithValues: (0..<30).map { ("u\(document)-\($0)", Value.integer(1)) })
      })
    #expect(paths(found) == ["*"] && !found.isTruncated)
    #expect(found.fields.first?.present == 1_200)
  }

  @Test func `keys that most maps have are names, however many`() {
    let fields = Dictionary(uniqueKeysWithValues: (0..<100).map { ("k\($0)", Value.integer(1)) })
    let found = profile([["m": .map(fields)], ["m": .map(fields)]])
    #expect(found.fields.count == 101)
  }

  @Test(arguments: [(200, false), (201, true)])
  func `more than 200 keys of one map are data`(keys: Int, isData: Bool) {
    let fields = Dictionary(uniqueKeysWithValues: (0..<keys).map { ("k\($0)", Value.integer(1)) })
    let found = profile([["m": .map(fields)]])
    #expect(paths(found).contains("m.*") == isData)
    #expect(!found.isTruncated)
    #expect(found.fields.last?.present == (isData ? keys : 1))
  }

  @Test func `paths are bounded, and what is beyond is told`() {
    let inner = Dictionary(uniqueKeysWithValues: (0..<150).map { ("k\($0)", Value.integer(1)) })
    let outer = Dictionary(uniqueKeysWithValues: (0..<10).map { ("m\($0)", Value.map(inner)) })
    let found = profile([outer])
    #expect(found.isTruncated)
    #expect(found.fields.count == 1_000)
  }

  @Test func `a candidate is a timestamp in every document, names of changes first`() {
    let near = Timestamp(microseconds: Self.written.microseconds - 60_000_000)
    let far = Timestamp(microseconds: Self.written.microseconds - 60_000_001)
    let full: [String: Value] = [
      "createdAt": .timestamp(near), "meta": .map(["updatedAt": .timestamp(near)]),
      "seen": .timestamp(far), "sometimes": .timestamp(near), "text": .string("x"),
    ]
    var partly = full
    partly["sometimes"] = .null
    let candidates = profile([full, partly]).incrementalCandidates
    #expect(candidates.map(\.field.description) == ["meta.updatedAt", "seen", "createdAt"])
    #expect(candidates.map(\.followsWriteCount) == [2, 0, 2])
    #expect(candidates.map(\.isNamedForChanges) == [true, false, false])
  }

  @Test func `a timestamp below an array is no candidate`() {
    let found = profile([["a": .array([.map(["updatedAt": .timestamp(Self.written)])])]])
    #expect(found.incrementalCandidates.isEmpty)
  }

  @Test func `extreme timestamps overflow nothing`() {
    let found = profile([["updatedAt": .timestamp(Timestamp(microseconds: .min))]])
    #expect(found.incrementalCandidates.first?.followsWriteCount == 0)
  }
}
