import Fixtures
import Foundation
import Model
import Testing

@testable import Feeds

/// Valid lines with a few bytes changed: whatever they have become, they are counted.
@Suite("Mutated lines")
struct MutatedLinesTests {
  private func mutate(_ line: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = line
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0...4, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: place)
      case 2:
        bytes.insert(
          contentsOf: Array(#"\"{}[]:,0-e"#.utf8).shuffled(using: &random).prefix(1), at: place)
      case 3: bytes = Array(bytes[..<max(1, place)])
      default:
        let end = Int.random(in: place..<bytes.count, using: &random)
        bytes.insert(contentsOf: bytes[place...end], at: place)
      }
    }
    // A line end would make two lines of one, which the count below does not expect.
    return bytes.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
  }

  @Test(arguments: FuzzCases.seeds(3, orMany: 10))
  func `every line is an event or a rejection, and every event is JSON for Foundation too`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var lines: [[UInt8]] = []
    for _ in 0..<1_000 {
      let line = mutate(Array(GA4Export.line(for: RandomEvent.make(&random)).utf8), &random)
      lines.append(line.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? [0x78] : line)
    }
    let content = try ExportFile(Array(lines.joined(separator: [0x0A]))).content()
    #expect(content.events.count + content.rejections.count == lines.count, "seed \(seed)")
    #expect(content.events.count == content.columns.count, "seed \(seed)")
    let rejected = Set(content.rejections.map(\.line))
    for (place, line) in lines.enumerated() where !rejected.contains(place + 1) {
      #expect(isJSON(line), "seed \(seed), line \(place + 1)")
    }
  }

  private func isJSON(_ line: [UInt8]) -> Bool {
    do {
      _ = try JSONSerialization.jsonObject(with: Data(line))
      return true
    } catch {
      // Foundation's own limit: a number that no double holds is one by RFC 8259 all the same.
      return "\(error)".contains("not representable")
    }
  }

  @Test func `a line with as many parameters as fit is an event, and one with more is too long`()
    throws
  {
    func line(_ count: Int) -> String {
      let parameters = (0..<count).map { #"{"key":"k\#($0)","value":{"int_value":\#($0)}}"# }
      return
        #"{"event_name":"e","event_timestamp":1,"event_params":[\#(parameters.joined(separator: ","))]}"#
    }
    #expect(try ExportFile.content(line(20_000)).events.first?.parameters.count == 20_000)
    #expect(try ExportFile.content(line(100_000)).names == ["line 1"])
  }
}
