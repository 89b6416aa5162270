import Fixtures
import Glibc
import Testing

@testable import Jobs
@testable import Workspace

/// Locks of files, and which failures mean that no run can be recorded.
struct FileLockTests {
  @Test func `a lock is free at once, whoever still has a copy of its descriptor`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "lock")
    var first: FileDescriptor? = try FileDescriptor.open(path, O_RDWR | O_CREAT, to: "lock")
    #expect(try first?.lock(LOCK_EX | LOCK_NB, at: path) == true)
    // What a process has that is just being started.
    let copy = dup(try #require(first).number)
    defer { close(copy) }
    first = nil
    let second = try FileDescriptor.open(path, O_RDWR, to: "lock")
    #expect(try second.lock(LOCK_EX | LOCK_NB, at: path))
  }

  @Test(arguments: [
    (ENOSPC, true), (EDQUOT, true), (EROFS, true), (EIO, true), (EACCES, true), (EPERM, true),
    (ENOENT, false), (EMFILE, false),
  ])
  func `a disk that takes nothing keeps runs from being recorded`(code: Int32, isSo: Bool) {
    let failure = WorkspaceError.file(FileFailure(action: "write", path: "data", code: code))
    #expect(UnrecordedRuns.areCaused(by: failure) == isSo)
  }
}

struct FileFailureTests {
  @Test(arguments: [
    (EACCES, "permission denied. Give this user the right"),
    (EROFS, "read-only file system. The file system is mounted read-only"),
    (ENOSPC, "no space left on device. Free some space"),
    (EDQUOT, "disk quota exceeded. Free some space"),
    (ENOENT, "no such file or directory. Create the folder first"),
    (ENOTDIR, "not a directory. Move away what is at that path"),
    (EMFILE, "too many open files. Raise `ulimit -n`"),
    (EIO, "input/output error. Check the path and the disk"),
  ])
  func `a failure says what happened and what to do`(code: Int32, text: String) {
    let sentence = FileFailure(action: "write", path: "/w/x", code: code).description
    #expect(sentence.hasPrefix("Cannot write /w/x: \(text)"))
    #expect(sentence.hasSuffix("."))
  }
}
