/// A place where the sources are not as they should be.
struct Finding: Hashable, CustomStringConvertible {
  let path: String
  let line: Int
  let message: String

  var description: String { "\(path):\(line): \(message)" }
}

/// One rule of the code, as a question to a file.
protocol Check: Sendable {
  func findings(in file: SwiftFile) -> [Finding]
}

extension Check {
  func findings(in text: String, at path: String = "Sources/Model/A.swift") -> [String] {
    findings(in: SwiftFile(path: path, text: text)).map(\.description)
  }
}
