import Foundation
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

/// Rules for every page.
@Suite struct PageTests {
  private let pages: [(name: String, bytes: [UInt8], root: HTMLNode)]

  init() throws {
    pages = try ReportSet.files(of: SampleReports.reports(), formats: [.html]).map { file in
      (file.name, file.bytes, try #require(HTMLNode(parsing: file.bytes), "\(file.name)"))
    }
  }

  @Test func `begins with the HTML5 doctype and names its language, character set and title`() {
    for page in pages {
      #expect(
        String(decoding: page.bytes, as: UTF8.self).hasPrefix("<!DOCTYPE html><html lang=\"en\">"))
      #expect(page.root.all("meta").first?.attributes["charset"] == "utf-8")
      #expect(page.root.all("title").first?.text.hasSuffix("ChatHub") == true)
    }
  }

  @Test func `closes no element with a slash but those that HTML leaves empty`() {
    for page in pages {
      let text = String(decoding: page.bytes, as: UTF8.self)
      let closed = text.matches(of: /<([a-z]+)[^<>]*\/>/).map { String($0.output.1) }
      #expect(Set(closed).isSubset(of: ["meta", "line"]), "\(page.name): \(Set(closed))")
    }
  }

  @Test func `loads nothing, and runs nothing but its own scripts`() {
    for page in pages {
      let scripts = page.root.all("script")
      #expect(scripts.allSatisfy { $0.attributes.isEmpty && $0.children.isEmpty })
      let loading: Set = ["link", "img", "iframe", "object", "embed", "image", "use"]
      #expect(page.root.all.allSatisfy { !loading.contains($0.name) })
      for (name, value) in page.root.all.flatMap(\.attributes) {
        #expect(!name.hasPrefix("on") && name != "src" && name != "style", "\(name)")
        if name == "href" { #expect(!value.contains(":") && !value.hasPrefix("/"), "\(value)") }
      }
      let text = String(decoding: page.bytes, as: UTF8.self)
      #expect(!text.contains("http://") && !text.contains("https://"))
      #expect(!text.replacing("url(#hatch-", with: "").contains("url("))
    }
  }

  @Test func `has one first heading and skips no level on the way down`() {
    for page in pages {
      let levels = page.root.all.compactMap { node in
        node.name.count == 2 && node.name.first == "h" ? Int(node.name.suffix(1)) : nil
      }
      #expect(levels.first == 1 && levels.filter { $0 == 1 }.count == 1)
      for (before, level) in zip(levels, levels.dropFirst()) {
        #expect(level <= before + 1, "\(page.name): h\(before) before h\(level)")
      }
    }
  }

  @Test func `has its landmarks, and a first link that skips to the content`() {
    for page in pages {
      for name in ["header", "main", "footer"] {
        #expect(page.root.all(name).count == 1, "\(page.name) \(name)")
      }
      let names = page.root.all("nav").compactMap { $0.attributes["aria-label"] }
      #expect(names.first == "Reports" && Set(names).count == names.count, "\(page.name)")
      #expect(page.root.all("a").first?.attributes["href"] == "#content")
      #expect(page.root.all("main").first?.attributes["id"] == "content")
    }
  }

  @Test func `uses each id once, and every label and own anchor leads to one`() {
    for page in pages {
      let ids = page.root.all.compactMap { $0.attributes["id"] }
      #expect(ids.count == Set(ids).count, "\(page.name)")
      let labels = page.root.all.compactMap { $0.attributes["aria-labelledby"] }
        .flatMap { $0.split(separator: " ").map(String.init) }
      let anchors = page.root.all("a").compactMap { $0.attributes["href"] }
        .filter { $0.hasPrefix("#") }.map { String($0.dropFirst()) }
      #expect(Set(labels + anchors).isSubset(of: Set(ids)), "\(page.name)")
    }
  }

  @Test func `links only to files and places of the reports`() {
    let names = Set(pages.map(\.name))
    for page in pages {
      for href in page.root.all("a").compactMap({ $0.attributes["href"] }) {
        let parts = href.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
        guard parts[0].hasSuffix(".html") else { continue }
        #expect(names.contains(parts[0]), "\(href)")
        guard parts.count == 2, let target = pages.first(where: { $0.name == parts[0] }) else {
          continue
        }
        #expect(target.root.all.contains { $0.attributes["id"] == parts[1] }, "\(href)")
      }
    }
  }

  @Test
  func `a page of three sections or more begins with links to all; headings link to themselves`()
    throws
  {
    for page in pages {
      let sections = page.root.all("section").compactMap { $0.attributes["id"] }
      let links = page.root.all("nav").dropFirst().flatMap { $0.all("a") }
        .compactMap { $0.attributes["href"] }
      let isLong = sections.count >= 3 && page.name != "index.html"
      #expect(links == (isLong ? sections.map { "#\($0)" } : []), "\(page.name)")
      let own = page.root.all("h2").flatMap { $0.all("a") }.compactMap { $0.attributes["href"] }
      #expect(own == sections.map { "#\($0)" }, "\(page.name)")
    }
  }

  @Test func `gives each drawing a title and a description, and hides the rest from readers`() {
    for page in pages {
      for drawing in page.root.all("svg") {
        if drawing.attributes["aria-hidden"] == "true" { continue }
        #expect(drawing.attributes["role"] == "img")
        let title = drawing.children.first { $0.name == "title" }
        #expect(title?.text.isEmpty == false, "\(page.name)")
      }
    }
  }

  @Test func `states its period, its data's time and its time zone`() {
    for page in pages {
      let context = page.root.all("dl").first { $0.attributes["class"] == "frame" }?.text ?? ""
      #expect(context.contains("16 Feb – 1 Mar 2026 (14 days)"))
      #expect(context.contains("Europe/Berlin"))
      #expect(context.contains("ago") || context.contains("just now"), "\(page.name): \(context)")
    }
  }

  @Test func `explains the mark of small counts where it is used, and only there`() {
    for page in pages {
      let main = page.root.all("main").first?.text ?? ""
      let footer = page.root.all("footer").first?.text ?? ""
      #expect(main.contains("†") == footer.contains("†"), "\(page.name)")
    }
  }
}
