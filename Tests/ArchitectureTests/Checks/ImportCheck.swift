/// Imports point down, and only where the plan of the house has an arrow.
struct ImportCheck: Check {
  /// What a room may import: rooms below it, packages, and the system's libraries.
  static let rooms: [String: Set<String>] = [
    "Model": [],
    "EventEncoding": ["Model"],
    "Files": [],
    "HTTP": ["Files", "CCurl"],
    "Crypto": ["CCrypto"],
    "Processes": ["Subprocess", "SystemPackage"],
    "XML": ["CLibXML2"],
    "Rules": ["Model"],
    "Store": ["Files", "Model", "EventEncoding", "GRDB", "GRDBSQLite"],
    "Feeds": ["Files", "Model", "EventEncoding", "HTTP", "XML", "CZlib"],
    "Firestore": ["Files", "HTTP", "Crypto", "Processes", "Subprocess"],
    "Reports": ["Model", "Rules", "XML"],
    "Session": ["Model", "Rules", "Store"],
    "Sync": ["Model", "Rules", "Store", "Firestore", "Feeds"],
    "Emulator": ["Model", "Firestore", "NIOCore", "NIOPosix", "NIOHTTP1"],
    "Jobs": [
      "Files", "Model", "EventEncoding", "Rules", "Store", "HTTP", "Firestore", "Feeds", "Sync",
      "Session", "Reports", "CZlib", "Crypto", "Processes", "XML", "Logging", "Subprocess", "Yams",
    ],
    "firetally": [
      "Model", "Rules", "Store", "HTTP", "Firestore", "Feeds", "Sync", "Session", "Emulator",
      "Reports", "XML", "Jobs", "Logging", "ArgumentParser", "CStart", "Subprocess",
    ],
  ]

  /// Rooms that do nothing but decide: of the system they see values only.
  static let pureRooms: Set<String> = ["Model", "EventEncoding", "Rules"]
  static let system: Set<String> = [
    "Foundation", "FoundationEssentials", "Dispatch", "Glibc", "Synchronization",
  ]

  func findings(in file: SwiftFile) -> [Finding] {
    guard let room = file.room else { return [] }
    guard let rooms = Self.rooms[room] else {
      guard !file.code.isEmpty else { return [] }
      return [Finding(path: file.path, line: 1, message: "the plan has no room \(room)")]
    }
    let allowed = rooms.union(
      Self.pureRooms.contains(room) ? ["FoundationEssentials"] : Self.system)
    return Self.imports(of: file).filter { !allowed.contains($0.module) }.map {
      Finding(path: file.path, line: $0.line, message: "\(room) may not import \($0.module)")
    }
  }

  static func imports(of file: SwiftFile) -> [(module: String, line: Int)] {
    let pattern =
      /(?m)^[ \t]*(?:@\w+(?:\([^)]*\))?\s+)*(?:[a-z]+\s+)?import\s+(?:[a-z]+\s+)?(\w+)/
    guard file.words.contains(where: { $0.text == "import" }) else { return [] }
    return file.code.matches(of: pattern).map {
      (String($0.output.1), file.line(of: $0.range.upperBound))
    }
  }
}
