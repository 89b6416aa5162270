import Model
import StoreTesting
import Testing

@testable import Store

/// Looking up the times of rows while another connection writes.
@Suite struct StoredTimesTests {
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
  }

  private func times(_ keys: [String], _ times: StoredTimes) throws -> [Int64?] {
    let bytes = keys.map { Array($0.utf8) }
    return try times.withLookup { lookup in
      try bytes.map { key in try key.withUnsafeBytes { try lookup.updateTime(ofKey: $0) } }
    }
  }

  @Test func `rows are found in any order of keys, and what is no row is not`() throws {
    for number in [1, 3, 5] {
      try workspace.store.merge([.numbered(number)], updateTime: Int64(number))
    }
    let ids = try workspace.userIds()
    let stored = workspace.store.storedTimes(of: .onlineUsers)
    #expect(try times(ids, stored) == [1, 3, 5])
    #expect(try times(ids.reversed(), stored) == [5, 3, 1])
    #expect(try times([ids[2], "zzz", ids[0], "", ids[0]], stored) == [5, nil, 1, nil, 1])
  }

  @Test func `all lookups of one closure see what was committed before the first`() throws {
    let stored = workspace.store.storedTimes(of: .onlineUsers)
    try workspace.store.merge([.numbered(1)], updateTime: 7)
    let ids = try workspace.userIds()
    #expect(try times(ids, stored) == [7])
    try stored.withLookup { lookup in
      for updateTime: Int64 in [8, 9] {
        let key = Array(ids[0].utf8)
        #expect(try key.withUnsafeBytes { try lookup.updateTime(ofKey: $0) } == 7)
        try workspace.store.merge([.numbered(1)], updateTime: updateTime)
      }
    }
    #expect(try times(ids, stored) == [9])
  }

  @Test func `several lookups at once do not wait for each other`() throws {
    try workspace.store.merge([.numbered(1)], updateTime: 7)
    let ids = try workspace.userIds()
    let stored = workspace.store.storedTimes(of: .onlineUsers)
    #expect(try stored.withLookup { _ in try times(ids, stored) } == [7])
    #expect(try times(ids, stored) == [7])
  }

  @Test(arguments: [31, 32])
  func `after many keys without a row, no more are looked up`(count: Int) throws {
    try workspace.store.merge([.numbered(1), .numbered(2)], updateTime: 7)
    let ids = try workspace.userIds()
    let stored = workspace.store.storedTimes(of: .onlineUsers)
    let unknown = Array(repeating: "nobody", count: count)
    let found = try times([ids[0]] + unknown + [ids[1]] + unknown + [ids[0]], stored)
    #expect(found.compactMap(\.self) == (count < 32 ? [7, 7, 7] : [7]))
    #expect(try times(ids, stored) == [7, 7])
  }
}
