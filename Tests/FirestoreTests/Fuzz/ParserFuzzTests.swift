import Fixtures
import Foundation
import Testing

@testable import Firestore

/// The parser and the scanner against Foundation's parser, on random and hostile input.
///
/// `FIRETALLY_FUZZ_CASES` and `FIRETALLY_FUZZ_SEED` say how much and where to begin; see
/// `docs/testing.md#fuzz`.
@Suite struct ParserFuzzTests {
  private static let shardCount = 8
  private static let caseCount = FuzzCases.wanted ?? 8_000
  private static let firstSeed =
    UInt64(FuzzCases.setting("FIRETALLY_FUZZ_SEED") ?? 1) &* 1_000_000_000

  /// How the cases of a shard came out.
  private struct Tally {
    var accepted = 0
    var refused = 0
    var scanned = 0
    var elsewhere = 0
  }

  @Test(arguments: 0..<shardCount)
  func `read what Foundation's parser reads, refuse what it refuses, and see the same in it`(
    shard: Int
  ) throws {
    let count = Self.caseCount / Self.shardCount
    var tally = Tally()
    for number in 0..<count {
      let seed = Self.firstSeed &+ UInt64(number * Self.shardCount + shard)
      let input = FuzzCase(seed: seed)
      guard let problem = Self.disagreement(on: input, &tally) else { continue }
      let hint = "seed \(seed): \(problem): \(Data(input.bytes).base64EncodedString())"
      Issue.record("\(hint) \(String(decoding: input.bytes, as: UTF8.self).debugDescription)")
      return
    }
    print("fuzz: shard \(shard), \(count) cases, seed \(Self.firstSeed): \(tally)")
    #expect(tally.accepted > count / 4)
    #expect(tally.refused > count / 4)
    #expect(tally.scanned > count / 10)
    #expect(tally.elsewhere < count / 10)
  }

  /// What is wrong with our reading of the input; nil when it is right.
  private static func disagreement(on input: FuzzCase, _ tally: inout Tally) -> String? {
    let verdict = FoundationOracle(input.bytes).verdict
    if case .otherEncoding = verdict {
      tally.elsewhere += 1
      return nil
    }
    do {
      let json = try JSON(parsing: input.bytes)
      switch verdict {
      case .accepts(let value):
        tally.accepted += 1
        guard FoundationOracle.agrees(json, value) else { return "the parser reads another value" }
        return scanDisagreement(on: input, value, &tally)
      case .refuses(let error) where FoundationOracle.isAboutNumber(error):
        tally.elsewhere += 1
        return scanFails(on: input.bytes, with: JSONError.self) ? "the scanner is stricter" : nil
      case .refuses, .otherEncoding: return "the parser takes what Foundation refuses"
      }
    } catch {
      tally.refused += 1
      if case .accepts = verdict, !FoundationOracle.excuses(error, in: input.bytes) {
        return "the parser refuses what Foundation takes (\(error))"
      }
      return scanFails(on: input.bytes) ? nil : "the scanner takes what the parser refuses"
    }
  }

  private static func scanFails(
    on bytes: [UInt8], with kind: (any Error.Type)? = nil
  ) -> Bool {
    do {
      _ = try Scan(bytes, fields: FuzzText.wanted)
      return false
    } catch {
      return kind == nil || type(of: error) == kind
    }
  }

  private static func scanDisagreement(
    on input: FuzzCase, _ value: Any, _ tally: inout Tally
  ) -> String? {
    let expected = ExpectedScan(value)
    do {
      let scan = try Scan(input.bytes, fields: FuzzText.wanted)
      guard let expected else { return "the scanner takes what is no answer" }
      tally.scanned += 1
      guard scan.documents.map(\.name) == expected.documents.map(\.name) else {
        return "the scanner finds other documents"
      }
      for (document, wanted) in zip(scan.documents, expected.documents) {
        for (field, value) in zip(document.fields, wanted.fields)
        where !ExpectedScan.agrees(field, value) { return "the scanner reads \(field)" }
      }
      return nil
    } catch is JSONError {
      return "the scanner is stricter than the parser"
    } catch {
      // A key that is given twice counts with its last content, unless an earlier one is no answer.
      return expected == nil || !input.isIntact ? nil : "the scanner refuses an answer (\(error))"
    }
  }
}
