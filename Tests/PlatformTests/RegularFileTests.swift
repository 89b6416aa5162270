import Fixtures
import Foundation
import Glibc
import Platform
import Testing

@Suite struct RegularFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func refusal(of path: String, _ flags: Int32) throws -> RegularFile.Refusal? {
    do {
      close(try RegularFile.open(path, flags))
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [O_RDONLY, O_WRONLY, O_RDWR, O_RDWR | O_CREAT])
  func `a named pipe is refused at once, whatever for, and by a link as well`(
    flags: Int32
  ) throws {
    let pipe = folder.path(of: "pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    try #require(symlink(pipe, folder.path(of: "link")) == 0)
    for name in ["pipe", "link"] {
      let refusal = try #require(try refusal(of: folder.path(of: name), flags))
      #expect(refusal.special == .namedPipe)
      #expect(refusal.reason == "it is a named pipe")
    }
  }

  @Test(arguments: [0, 9, 10, 11]) func `a file is read whole up to its limit`(size: Int) throws {
    let path = folder.path(of: "bytes")
    try Data(repeating: 7, count: size).write(to: URL(fileURLWithPath: path))
    let bytes = try RegularFile.bytes(of: path, limit: 10)
    #expect(bytes == (size <= 10 ? [UInt8](repeating: 7, count: size) : nil))
  }

  @Test func `a device and a socket are refused`() throws {
    #expect(try refusal(of: "/dev/zero", O_RDONLY)?.special == .device)
    let path = folder.path(of: "s")
    let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isBound)
    #expect(try refusal(of: path, O_RDONLY)?.special == .socket)
  }

  @Test func `a file and a folder are opened, and what is not there has the system's reason`()
    throws
  {
    try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path(of: "file")))
    #expect(try refusal(of: folder.path(of: "file"), O_RDWR) == nil)
    #expect(try refusal(of: folder.path(of: "."), O_RDONLY | O_DIRECTORY) == nil)
    let none = try refusal(of: folder.path(of: "none"), O_RDONLY)
    #expect(none?.code == ENOENT)
    #expect(none?.reason == "no such file or directory")
    #expect(try refusal(of: folder.path(of: "new"), O_WRONLY | O_CREAT | O_EXCL) == nil)
  }

  @Test func `where a pipe is allowed, what is written to it is read`() async throws {
    let path = folder.path(of: "pipe")
    try #require(mkfifo(path, 0o600) == 0)
    Thread.detachNewThread {
      let writer = open(path, O_WRONLY)
      _ = write(writer, "hello", 5)
      close(writer)
    }
    let number = try RegularFile.openOrPipe(path)
    defer { close(number) }
    var bytes = [UInt8](repeating: 0, count: 9)
    #expect(read(number, &bytes, 9) == 5)
  }
}
