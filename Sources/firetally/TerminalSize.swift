import Glibc

/// How much a terminal shows.
enum TerminalSize {
  /// Where the terminal does not say, as many as a VT100 has.
  private static let usualColumns = 80
  private static let fewestColumns = 10

  static func columns(of descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return usualColumns
    }
    return max(fewestColumns, Int(size.ws_col))
  }
}
