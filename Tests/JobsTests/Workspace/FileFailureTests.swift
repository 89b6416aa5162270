import Glibc
import Testing

@testable import Jobs

struct FileFailureTests {
  @Test(arguments: [
    (EACCES, "permission denied. Give this user the right"),
    (EROFS, "read-only file system. The file system is mounted read-only"),
    (ENOSPC, "no space left on device. Free some space"),
    (EDQUOT, "disk quota exceeded. Free some space"),
    (ENOENT, "no such file or directory. Create the folder first"),
    (ENOTDIR, "not a directory. Move away what stands in its place"),
    (EMFILE, "too many open files. Raise 'ulimit -n'"),
    (EIO, "input/output error. Check the path and the disk"),
  ])
  func `a failure says what happened and what to do`(code: Int32, text: String) {
    let sentence = FileFailure("write", "/w/x", code: code).description
    #expect(sentence.hasPrefix("Cannot write /w/x: \(text)"))
    #expect(sentence.hasSuffix("."))
  }
}
