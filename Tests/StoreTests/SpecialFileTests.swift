import Fixtures
import Glibc
import Platform
import StoreTesting
import Testing

@testable import Store

@Suite(.timeLimit(.minutes(1))) struct SpecialFileTests {
  @Test(arguments: ["", "-wal", "-shm", "-journal"])
  func `a pipe in the place of one of the database's files is named`(suffix: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "a.sqlite")
    if !suffix.isEmpty {
      try Store.open(path: path).close()
      unlink(path + suffix)
    }
    try #require(mkfifo(path + suffix, 0o600) == 0)
    for mode in [Store.Mode.readWrite, .readOnly] {
      let error = #expect(throws: StoreError.self) { try Store.open(path: path, mode: mode) }
      #expect(error == .specialFile(path: path + suffix, .namedPipe))
      #expect(
        error?.description == "\(path + suffix) is a named pipe; it must be a file. Move it away.")
    }
  }
}
