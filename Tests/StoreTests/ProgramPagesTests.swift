import Testing

@testable import Store

@Suite struct ProgramPagesTests {
  @Test("code is what can be run and not written, from a file")
  func code() {
    let line = "5560e000-5562a000 r-xp 0001c000 fe:00 131    /usr/bin/a program"
    #expect(ProgramPages.codeRange(line) == 0x5560_e000..<0x5562_a000)
    #expect(
      ProgramPages.codeRange("7f0000000000-7f0000001000 r-xp 00000000 00:00 1 /lib/libc.so.6\n")
        == 0x7f00_0000_0000..<0x7f00_0000_1000)
  }

  @Test(
    "what may have been written to, or has no file, is left alone",
    arguments: [
      "5560e000-5562a000 r--p 0001c000 fe:00 131 /usr/bin/a",
      "5560e000-5562a000 rw-p 0001c000 fe:00 131 /usr/bin/a",
      "5560e000-5562a000 rwxp 0001c000 fe:00 131 /usr/bin/a",
      "5560e000-5562a000 r-xs 0001c000 fe:00 131 /usr/bin/a",
      "7ffc5000-7ffc7000 r-xp 00000000 00:00 0 [vdso]", "5560e000-5562a000 r-xp 0001c000 fe:00 131",
      "5562a000-5560e000 r-xp 0001c000 fe:00 131 /usr/bin/a",
      "5560e000-5560e000 r-xp 0001c000 fe:00 131 /usr/bin/a",
      "5560e000 r-xp 0001c000 fe:00 131 /usr/bin/a", "x-y r-xp 0001c000 fe:00 131 /usr/bin/a", "",
    ])
  func others(line: String) {
    #expect(ProgramPages.codeRange(line) == nil)
  }

  @Test("a program that gave its code back goes on")
  func goesOn() {
    ProgramPages.giveBack()
    #expect(ProgramPages.codeRange("1-2 r-xp 0 0 0 /a") == 1..<2)
  }
}
