import Model
import Reports

/// How a finding was made: docs/findings.md#list.
package struct FindingExplanation: Sendable {
  let finding: Finding
  /// The finding as the list has it, without a line end.
  let text: String

  /// In lines of at most 80 columns, with a line end after the last.
  package var words: String {
    guard !finding.judgements.isEmpty || !finding.explained.isEmpty else { return text + "\n" }
    var sheet = TextSheet()
    if !finding.judgements.isEmpty {
      sheet.paragraph("Judged, the surest first:")
      for (number, one) in zip(1..., finding.judgements) {
        sheet.paragraph("\(number). \(Self.words(one))", indent: 2, hanging: 5)
      }
    }
    if !finding.explained.isEmpty {
      sheet.gap()
      sheet.paragraph("Explains, and so not listed:")
      for sentence in finding.explained { sheet.paragraph("- \(sentence)", indent: 2, hanging: 4) }
    }
    return ([text, ""] + sheet.lines).joined(separator: "\n") + "\n"
  }

  private static func words(_ one: Finding.Judgement) -> String {
    let expected = NumberWords.decimal(one.expected * Double(one.whole), places: 1)
    return "\(one.label), \(NumberWords.counted(one.dayCount, "day")): "
      + "\(NumberWords.grouped(one.count)) of \(NumberWords.grouped(one.whole)), expected "
      + "\(expected); by chance \(chance(one.probability))."
  }

  private static func chance(_ probability: Double) -> String {
    let rarest = 1_000_000_000
    return probability * Double(rarest) < 1
      ? "less often than once in \(NumberWords.grouped(rarest)) times"
      : "once in \(NumberWords.grouped(Int(1 / probability))) times"
  }
}

/// The object that `firetally findings --explain ID --json` prints.
extension FindingExplanation: Encodable {
  package func encode(to encoder: any Encoder) throws {
    let explanation: JSONNode = .members([
      "message_type": "finding_explanation", "finding": finding.json(),
      "judged": .list(
        finding.judgements.map { one in
          .members([
            "label": .text(one.label), "days": .integer(one.dayCount),
            "count": .integer(one.count), "whole": .integer(one.whole),
            "expectedShare": .decimal(one.expected), "probability": .decimal(one.probability),
          ])
        }),
      "explains": .list(finding.explained.map(JSONNode.text)),
    ])
    try explanation.encode(to: encoder)
  }
}
