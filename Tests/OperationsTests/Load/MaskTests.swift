import Firestore
import Fixtures
import Foundation
import JobsTesting
import Model
import StoreTesting
import Testing

@testable import Jobs
@testable import Operations
@testable import Workspace

/// Masked copies.
@Suite struct MaskTests {
  private static let own = "projects/demo/databases/(default)/documents"
  private static let job = """
    kind: sync-collection
    collection: Customers
    masks:
      __name__: mask
      name: mask
      contact: mask
      contact.plan: keep
      note: drop
      born: mask
      place: mask
      pin: mask
    """

  private let folder: TemporaryFolder
  private let workspace: TestWorkspace

  init() throws {
    folder = try TemporaryFolder()
    workspace = try TestWorkspace(jobs: ["customers": Self.job, "users": "kind: sync-users\n"])
  }

  private func masker(
    _ documents: [String: [String: Value]], in workspace: TestWorkspace? = nil
  ) throws -> DocumentMasker {
    let workspace = workspace ?? self.workspace
    let lines = documents.map { path, fields in
      let json = Document(name: "\(Self.own)/\(path)", fields: fields).json
      return String(decoding: json.serialized(), as: UTF8.self)
    }
    try folder.write(lines.joined(separator: "\n"), to: "documents.ndjson")
    return try DocumentMasker(
      MaskRules(workspace.folder.jobs()),
      surveying: try LoadSource(folder.path(of: "documents.ndjson"), in: workspace.store),
      in: workspace.folder)
  }

  private func masked(
    _ documents: [String: [String: Value]], in workspace: TestWorkspace? = nil
  ) throws -> [Document] {
    let masker = try masker(documents, in: workspace)
    return try documents.sorted { $0.key < $1.key }.map { path, fields in
      try masker.masked(Document(name: "\(Self.own)/\(path)", fields: fields))
    }
  }

  private static let customers: [String: [String: Value]] = [
    "Customers/anna77xyzuvw": [
      "name": .string("Anna Schmidt"), "note": .string("calls at night"),
      "contact": .map([
        "mail": .string("anna.schmidt@mail.de"), "phone": .string("+49 170 1234567"),
        "plan": .string("Anna Schmidt"),
      ]),
      "born": .timestamp(Timestamp(microseconds: 700_000_000_000_000)),
      "place": .geoPoint(latitude: 48.1, longitude: 11.5), "pin": .integer(-4711),
      "free": .array([.boolean(true), .integer(3), .null]),
    ],
    "Customers/anna77xyzuvw/Sub/x": ["v": .integer(1)],
    "Customers/7": ["name": .string("Bo Li")], "Customers/8": ["name": .string("Bo Li")],
    "Orders/o1": [
      "by": .reference("\(own)/Customers/anna77xyzuvw"), "who": .string("anna77xyzuvw"),
      "text": .string("For Anna Schmidt (anna.schmidt@mail.de), as Schmidt said."),
      "per": .map(["anna77xyzuvw": .integer(5)]), "path": .string("Customers/anna77xyzuvw/x"),
      "size": .string("XL"),
    ],
  ]

  @Test func `no byte of a masked value is left, and all that refers to it is consistent`() throws {
    let documents = try masked(Self.customers)
    let all = documents.map { String(decoding: $0.json.serialized(), as: UTF8.self) }
      .joined(separator: "\n").replacing("\"plan\":{\"stringValue\":\"Anna Schmidt\"}", with: "")
    for value in [
      "Anna Schmidt", "anna77", "anna.schmidt", "mail.de", "1234567", "calls at night", "4711",
      "48.1", "Bo Li",
    ] {
      #expect(!all.contains(value), "\(value)")
    }
    let order = try #require(documents.last)
    let customer = try #require(documents.first { $0.fields["born"] != nil })
    let id = customer.id
    #expect(id.wholeMatch(of: #/[a-z]{4}\d\d[a-z]{6}/#) != nil, "\(id)")
    #expect(order.fields["who"] == .string(id))
    #expect(order.fields["by"] == .reference("\(Self.own)/Customers/\(id)"))
    #expect(order.fields["path"] == .string("Customers/\(id)/x"))
    #expect(order.fields["per"] == .map([id: .integer(5)]))
    #expect(documents.contains { $0.name == "\(Self.own)/Customers/\(id)/Sub/x" })
    #expect(customer.fields["note"] == nil)
    #expect(customer.fields["free"] == .array([.boolean(true), .integer(3), .null]))
    guard case .map(let contact)? = customer.fields["contact"],
      case .string(let mail)? = contact["mail"], case .string(let phone)? = contact["phone"],
      case .string(let name)? = customer.fields["name"],
      case .string(let text)? = order.fields["text"]
    else { throw CocoaError(.featureUnsupported) }
    #expect(contact["plan"] == .string("Anna Schmidt"))
    #expect(mail.hasSuffix("@example.com"))
    #expect(phone.wholeMatch(of: #/\+\d\d \d{3} \d{7}/#) != nil, "\(phone)")
    #expect(name.wholeMatch(of: #/[A-Z][a-z]{3} [A-Z][a-z]{6}/#) != nil, "\(name)")
    #expect(text == "For \(name) (\(mail)), as Schmidt said.")
    #expect(order.fields["size"] == .string("XL"))
  }

  @Test func `a reference that is masked or dropped names no document any more`() throws {
    let workspace = try TestWorkspace(jobs: [
      "posts": "kind: sync-collection\ncollection: Posts\nmasks: {author: mask, editor: drop}\n"
    ])
    let documents = try masked(
      [
        "Members/anna77xyzuvw": ["n": .integer(1)],
        "Posts/p": [
          "author": .reference("\(Self.own)/Members/anna77xyzuvw"),
          "editor": .array([.reference("\(Self.own)/Members/boli88xyzuvw")]),
          "seen": .array([
            .reference("\(Self.own)/Members/anna77xyzuvw"), .string("boli88xyzuvw"),
          ]),
          "size": .array([]),
        ],
      ], in: workspace)
    let all = documents.map { String(decoding: $0.json.serialized(), as: UTF8.self) }.joined()
    #expect(!all.contains("anna77") && !all.contains("boli88"))
    let post = try #require(documents.last)
    #expect(post.fields["author"] == .reference(documents[0].name))
    #expect(post.fields["editor"] == nil && post.fields["size"] == .array([]))
  }

  @Test func `equal values are equal again, and short ids stay different`() throws {
    let documents = try masked(Self.customers)
    let names = documents.compactMap { $0.fields["name"] }
    #expect(names.count == 3)
    #expect(names[0] == names[1])
    #expect(Set(documents.map(\.name)).count == documents.count)
    #expect(try masked(Self.customers) == documents)
    let other = try TestWorkspace(jobs: ["customers": Self.job])
    #expect(try masked(Self.customers, in: other) != documents)
    let key = workspace.folder.path("data/masks.key")
    let mode = try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func `the kinds declare what is personal`() throws {
    let documents = try masked([
      "Users/u-123456789012": [
        "User_id": .string("u-123456789012"), "User_name": .string("Zoe"),
        "User_country": .string("France"),
      ]
    ])
    #expect(documents[0].fields["User_id"] == .string(documents[0].id))
    #expect(documents[0].fields["User_name"] != .string("Zoe"))
    #expect(documents[0].fields["User_country"] == .string("France"))
  }

  static let looks: [(String, Value, String?)] = [
    ("a", .string("x@y.de"), "mail address"), ("a", .string("mail x@y.de now"), "mail address"),
    ("a", .string("x@y"), nil), ("a", .string("@y.de"), nil),
    ("a", .string("+491701234567"), "phone number"), ("a", .string("0170 1234567"), "phone number"),
    ("phone", .string("01701234567"), "phone number"), ("a", .string("01701234567"), nil),
    ("a", .string("2026-11-29"), nil), ("a", .string("192.168.100.200"), nil),
    ("a", .string("+12 34"), nil), ("a", .geoPoint(latitude: 0, longitude: 0), "coordinates"),
    ("a", .map(["lat": .double(1), "lng": .integer(2)]), "coordinates"),
    ("a", .map(["lat": .double(1)]), nil), ("a", .integer(491_701_234_567), nil),
  ]

  @Test(arguments: looks)
  func `what looks personal is named unless it is declared`(
    name: String, value: Value, look: String?
  ) throws {
    let masker = try masker(["Others/x": [name: value]])
    #expect(masker.undeclared == (look.map { ["Others.\(name) (\($0))": 1] } ?? [:]))
    #expect((masker.warning == nil) == (look == nil))
    #expect(try self.masker(["Customers/x": ["name": value]]).warning == nil)
  }

  @Test(arguments: FuzzCases.seeds(30, orMany: 2_000))
  func `a pseudonym is of the same kind, and another value`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pseudonyms = ValuePseudonyms(KeyedHash(low: random.next(), high: random.next()))
    let values: [Value] = [
      .integer(random.pick(7, -1, .min, .max, 1234)), .double(random.pick(0.5, -1e300, 5)),
      .timestamp(Timestamp(microseconds: random.pick(0, 253_402_300_799_999_999))),
      .geoPoint(latitude: 1, longitude: 2), .bytes([1, 2, 3, 4, 5]),
    ]
    for value in values {
      let other = pseudonyms.value(value)
      #expect(other.kind == value.kind, "seed \(seed)")
      #expect(other == pseudonyms.value(value), "seed \(seed)")
      if case .integer(let number) = other, case .integer(let old) = value {
        #expect(String(number.magnitude).count == String(old.magnitude).count, "seed \(seed)")
      }
    }
    let text = random.pick("Zoë", "a", "名前", "x y", "A-1", "bob@x.org")
    #expect(pseudonyms.text(text, isId: false) != text, "seed \(seed)")
    #expect(
      pseudonyms.text("12", isId: true) != pseudonyms.text("13", isId: true), "seed \(seed)")
  }
}
