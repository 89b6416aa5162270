import Firestore
import HTTP
import Testing

/// `partitionQuery`, which Google's emulator does not have; see `docs/firestore.md#partitions`.
@Suite struct PartitionTests {
  private let group = StructuredQuery(from: [.init(collectionId: "c", allDescendants: true)])

  private func fill(_ count: Int, _ client: RESTClient) async throws {
    _ = try await client.put((0..<count).map { client.document("p/\($0 % 3)/c/d\($0)", [:]) })
  }

  private func partition(
    _ count: Int, _ client: RESTClient, _ rest: String = ""
  ) async throws -> RESTClient.Reply {
    let query = String(decoding: group.json.serialized(), as: UTF8.self)
    return try await client.send(
      .post, ":partitionQuery",
      #"{"structuredQuery":\#(query),"partitionCount":"\#(count)"\#(rest)}"#)
  }

  private func points(_ reply: RESTClient.Reply) throws -> [Value] {
    try reply.json["partitions"]?.elements().map { cursor in
      #expect(cursor["before"] == .boolean(true))
      let values = try #require(try cursor["values"]?.elements())
      #expect(values.count == 1)
      return try Value(json: values[0])
    } ?? []
  }

  /// Documents, cuts that are asked for, cuts that are made.
  static let sizes = [
    (30, 1, 1), (30, 4, 4), (5, 4, 4), (5, 9, 4), (2, 1, 1), (1, 3, 0), (0, 3, 0),
  ]

  @Test(arguments: sizes)
  func `the parts between the cuts hold every document once`(
    row: (Int, Int, Int)
  ) async throws {
    try await TestClock.withServer { client, _ in
      if row.0 > 0 { try await fill(row.0, client) }
      let cuts = try points(try await partition(row.1, client))
      #expect(cuts.count == row.2)
      var ids: [String] = []
      var sizes: [Int] = []
      for number in 0...cuts.count {
        var part = group
        part.orderBy = [.init(field: .documentName)]
        if number > 0 { part.startAt = .init(values: [cuts[number - 1]], before: true) }
        if number < cuts.count { part.endAt = .init(values: [cuts[number]], before: true) }
        let found = try await client.query(part).ids
        sizes.append(found.count)
        ids += found
      }
      #expect(try await client.query(group).ids == ids)
      #expect(ids.count == row.0)
      #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
    }
  }

  @Test func `cuts come page by page`() async throws {
    try await TestClock.withServer { client, _ in
      try await fill(20, client)
      let all = try points(try await partition(7, client))
      var paged: [Value] = []
      var token = ""
      repeat {
        let reply = try await partition(7, client, #","pageSize":3,"pageToken":"\#(token)""#)
        paged += try points(reply)
        token = try reply.json["nextPageToken"]?.text() ?? ""
      } while !token.isEmpty
      #expect(all.count == 7)
      #expect(paged == all)
    }
  }

  static let refused = [
    #"{"from":[{"collectionId":"c"}]}"#, #"{"from":[]}"#, "null",
    #"{"from":[{"allDescendants":true}]}"#,
    #"{"from":[{"collectionId":"c","allDescendants":true}],"limit":1}"#,
    #"{"from":[{"collectionId":"c","allDescendants":true}],"orderBy":[{"field":{"fieldPath":"a"}}]}"#,
    #"{"from":[{"collectionId":"c","allDescendants":true}],"orderBy":[{"field":{"fieldPath":"__name__"},"direction":"DESCENDING"}]}"#,
    #"{"from":[{"collectionId":"c","allDescendants":true}],"where":{"unaryFilter":{"field":{"fieldPath":"a"},"op":"IS_NULL"}}}"#,
  ]

  @Test(arguments: refused)
  func `only a whole collection group by name is cut`(query: String) async throws {
    try await TestClock.withServer { client, _ in
      let reply = try await client.send(
        .post, ":partitionQuery", #"{"structuredQuery":\#(query),"partitionCount":"2"}"#)
      #expect(try reply.errorStatus == "INVALID_ARGUMENT")
    }
  }

  @Test(arguments: ["0", "-1", "x"])
  func `there is at least one cut to ask for`(count: String) async throws {
    try await TestClock.withServer { client, _ in
      let query = String(decoding: group.json.serialized(), as: UTF8.self)
      let reply = try await client.send(
        .post, ":partitionQuery", #"{"structuredQuery":\#(query),"partitionCount":"\#(count)"}"#)
      #expect(try reply.errorStatus == "INVALID_ARGUMENT")
      let below = try await client.send(
        .post, "/p/1:partitionQuery", #"{"structuredQuery":\#(query),"partitionCount":"2"}"#)
      #expect(try below.errorStatus == "INVALID_ARGUMENT")
    }
  }
}
