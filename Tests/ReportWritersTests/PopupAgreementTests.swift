import Foundation
import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

/// The four formats show the same popups: docs/reports.md#popups.
@Suite struct PopupAgreementTests {
  private struct Place {
    var report: Report
    var section: String
    var gallery: PopupGallery
  }

  private var places: [Place] {
    SampleReports.reports().flatMap { report in
      report.sections.flatMap { section in
        section.blocks.compactMap { block in
          guard case .popups(let gallery) = block else { return nil }
          return Place(report: report, section: section.id, gallery: gallery)
        }
      }
    }
  }

  @Test func `the sample has all kinds of pictures, so that the checks below see them`() {
    let kinds = places.flatMap(\.gallery.previews).flatMap(\.parts).filter { $0.name == "popup" }
    #expect(
      Set(kinds.map(\.value)) == [
        .text("limit"), .text("rating"), .text("paywall"), .text("premium"), .text("none"),
      ])
  }

  @Test func `CSV and JSON have every part of every picture under its name`() throws {
    for place in places {
      let records = try CSVReader.records(of: CSVWriter.bytes(of: place.report))
      let values = Dictionary(records.map { (Array($0.dropLast()), $0.last) }) { first, _ in first }
      let objects = try objects(place)
      try #require(objects.count == place.gallery.previews.count)
      for (number, preview) in place.gallery.previews.enumerated() {
        #expect(objects[number].count == preview.parts.count)
        for part in preview.parts {
          let name = try #require(part.name)
          let value = values[[place.section, place.gallery.id, "\(number + 1)", name]]
          #expect(value == CSVSheet.text(of: part.value), "\(place.gallery.id) \(name)")
          let other = objects[number][name]
          if case .text(let text) = part.value { #expect(other as? String == text) }
          #expect((other is NSNull) == (part.value == .null), "\(place.gallery.id) \(name)")
        }
      }
    }
  }

  private func objects(_ place: Place) throws -> [[String: Any]] {
    let data = Data(try JSONWriter.bytes(of: place.report))
    let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let sections = try #require(root["sections"] as? [[String: Any]])
    let blocks = sections.flatMap { $0["blocks"] as? [[String: Any]] ?? [] }
    let block = try #require(blocks.first { $0["id"] as? String == place.gallery.id })
    return try #require(block["popups"] as? [[String: Any]])
  }

  /// Parts that only machines read, that are drawn as a picture, or that are joined for machines.
  private static let unseen: Set = [
    "state", "popup", "feature", "colour", "trigger", "emoji", "buttons", "benefits", "typed",
  ]

  @Test func `the page and the text show every word of every picture`() throws {
    for place in places {
      let html = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: place.report))).text
      let text = String(decoding: TextWriter.bytes(of: place.report), as: UTF8.self)
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      for part in place.gallery.previews.flatMap(\.parts) {
        guard let name = part.name, !Self.unseen.contains(name), case .text(let words) = part.value
        else { continue }
        #expect(html.contains(words), "\(place.gallery.id) \(name)")
        #expect(text.contains(words), "\(place.gallery.id) \(name)")
      }
    }
  }
}
