import CollectionMapping
import Firestore
import Foundation
import Jobs
import Model
import Reports
import Sync

/// The lines of a drafted job file.
struct DraftText {
  let collection: InspectedCollection
  let table: String
  let job: String
  let price: ReadPrice
  let day: String

  /// Returns the file; without columns it keeps only whole documents.
  func text(_ columns: DraftColumns?) -> String {
    var lines = head
    lines.append("kind: sync-collection")
    lines.append("description: \(YAMLText.quoted("Copies \(collection.source)"))")
    lines += schedule(job)
    lines += source(isPlain: columns == nil)
    lines.append("table: \(YAMLText.scalar(table))")
    if let columns, !columns.columns.isEmpty {
      lines += ["", "columns:"] + columns.columns.map { "  \($0)" }
    }
    if let columns, !columns.explode.isEmpty {
      lines += ["", "# A table for each, with a row for each element.", "explode:"]
      lines += columns.explode.map { "  \($0)" }
    }
    if let columns, !columns.leftOut.isEmpty { lines.append(leftOut(columns.leftOut)) }
    lines += document(without: columns?.secrets ?? [], columns)
    return (lines + mirror).joined(separator: "\n") + "\n"
  }

  /// Returns the lines about keeping whole documents, which contain fields without columns, too.
  private func document(without secrets: [String], _ columns: DraftColumns?) -> [String] {
    let head = [
      "", "# Whole documents as JSON, beside the columns: what no sampled document had is in them.",
    ]
    let hasColumns = columns.map { !$0.columns.isEmpty || !$0.explode.isEmpty } ?? false
    guard !secrets.isEmpty, hasColumns else {
      return head
        + ["# It costs no read; without it only the columns are fetched.", "document: true"]
    }
    return head + [
      comment("Left out, since they would be copied with \(secrets.listed)."),
      "# document: true",
    ]
  }

  /// Returns the lines about the schedule: a draft has none, so that no read is billed unasked.
  private func schedule(_ job: String) -> [String] {
    [
      "# It runs when you ask: `firetally run \(job)`. To have it run every hour, take the # away, and",
      "# add its line to the crontab; one with `run --due` starts it without.",
      "# schedule: \"20 * * * *\"",
    ]
  }

  private var head: [String] {
    let count = collection.count.map { "of \(NumberWords.counted($0, "document"))" } ?? ""
    var lines = [
      ConfigurationSchema.comment(for: "jobs/.yml").map { String($0.dropLast()) },
      "# Drafted by `firetally inspect` on \(day) from "
        + "\(NumberWords.grouped(collection.profile.documentCount)) \(count). Read it, then try "
        + "`firetally plan`.",
    ].compactMap(\.self)
    if !collection.places.isEmpty {
      let places = collection.places.sorted()
      lines.append(comment("Found at \(Self.list(places))."))
    }
    return lines + collection.expiry.map { comment("\($0.clause).") }
  }

  /// Returns a comment with the fields without a column, by their paths.
  private func leftOut(_ paths: [SampledPath]) -> String {
    let fields = NumberWords.counted(paths.count, "field")
    return "\n"
      + comment(
        "\(fields) did not fit, or cannot name a column: "
          + "\(Self.list(paths.map { String($0.description.prefix(60)) })).")
  }

  /// Returns the first 20 names, and the number of the others.
  private static func list(_ names: [String]) -> String {
    let more = names.count > 20 ? ", and \(names.count - 20) more" : ""
    return names.prefix(20).joined(separator: ", ") + more
  }

  /// Returns the lines that select documents: a whole group, unless all its documents were sampled.
  private func source(isPlain: Bool) -> [String] {
    let name = YAMLText.scalar(collection.name)
    guard collection.source.isGroup else { return ["collection: \(name)"] }
    guard let parents = collection.sampledParents, !isPlain else {
      return ["collection_group: \(name)"]
    }
    let under = "under: \(YAMLText.quoted(parents.description))"
    guard collection.isSampledWhole else {
      return [
        "collection_group: \(name)",
        comment("All sampled documents are below \(parents). To copy no others, write"),
        comment("'collection' instead of 'collection_group', and the line"),
        comment(under),
      ]
    }
    return [
      "collection: \(name)",
      "# Only those below such documents; all are 'collection_group' without 'under'.", under,
    ]
  }

  /// The lines about incremental loads and deletes, with the costs of both kinds of loads.
  private var mirror: [String] {
    if let field = collection.profile.changeField?.field {
      return [
        "", comment("\(field) follows the writes, and every sampled document has it."),
        costOfChanges.map { comment("A load costs \($0).") },
        costOfAll.map { comment("The first load, and `run --full`, costs \($0).") },
        "incremental: {field: \(YAMLText.quoted(field.description))}", "deletes: drift",
      ].compactMap(\.self)
    }
    var lines = [""]
    lines.append(comment("Every load reads all documents" + (costOfAll.map { ": \($0)." } ?? ".")))
    if let cost = costOfChanges { lines.append(comment("An incremental load would cost \(cost),")) }
    lines.append(comment(whyWhole))
    return collection.expiry.isEmpty
      ? lines : lines + ["# The count finds documents that expired.", "deletes: drift"]
  }

  private var costOfAll: String? { collection.fullReads.map(cost) }

  /// The cost of an incremental load, which reads changes and counts three times: all documents,
  /// those with the field, and all again to find deletions.
  private var costOfChanges: String? {
    collection.count.map { count in
      "one read for each changed document, and "
        + cost(1 + 3 * price.edition.rules.readsOfCount(count))
    }
  }

  private func cost(_ reads: Int) -> String {
    "\(price.counted(reads)), about "
      + "\(NumberWords.money(price.cost(of: reads)))"
  }

  private var whyWhole: String {
    let candidates = collection.profile.incrementalCandidates.prefix(3)
    guard !candidates.isEmpty else {
      return "but no field is a timestamp in every sampled document."
    }
    let shares = candidates.map { candidate in
      "\(candidate.field) in \(candidate.followsWriteCount) of "
        + "\(collection.profile.documentCount)"
    }
    return "but it misses changes that do not move its field; within a minute of the write: "
      + "\(shares.joined(separator: ", "))."
  }

  /// Returns the text with a comment about the indexes that the job's queries need.
  func withIndexes(_ text: String, of job: Job) -> String {
    guard !IndexFile.indexes(of: [job]).isEmpty else { return text }
    let file = IndexFile.text(of: [job], onOneLine: false).split(separator: "\n")
    return text + "\n# Its queries need in firestore.indexes.json:\n"
      + file.map { comment(String($0)) + "\n" }.joined()
  }

  /// Returns a comment on a single line, regardless of the names in it.
  private func comment(_ text: String) -> String {
    "# " + VisibleText.line(text)
  }
}

extension InspectedCollection {
  var isSampledWhole: Bool { count.map { $0 <= profile.documentCount } ?? false }

  /// The parents of all sampled documents of a group; nil when they have several shapes.
  fileprivate var sampledParents: ParentPattern? {
    guard source.isGroup, places.count == 1, let place = places.first else { return nil }
    return ParentPattern(place.split(separator: "/").dropLast().joined(separator: "/"))
  }

  /// The number of documents in each document's path, including itself: 1 in a root collection.
  var levels: Int {
    guard source.isGroup else { return 1 }
    let depths = Set(places.map { ($0.split(separator: "/").count + 1) / 2 })
    return depths.count == 1 ? depths.first ?? 1 : 1
  }
}

/// Quotes texts of documents as YAML that parses to the same text.
enum YAMLText {
  /// Returns the text in double quotes, unless it is a plain word for YAML and variables.
  static func scalar(_ text: String) -> String {
    isPlainWord(text) ? text : quoted(text)
  }

  /// Returns the text in double quotes, with escapes for characters that YAML cannot print, and
  /// `$${` for `${`, which would begin a variable.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.replacingScalars("${", with: "$${").unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5C: quoted += "\\\(scalar)"
      case 0x20..<0x7F: quoted.unicodeScalars.append(scalar)
      case _ where scalar.properties.isAlphabetic: quoted.unicodeScalars.append(scalar)
      case 0..<0x100: quoted += String(format: "\\x%02X", scalar.value)
      case 0..<0x1_0000: quoted += String(format: "\\u%04X", scalar.value)
      default: quoted += String(format: "\\U%08X", scalar.value)
      }
    }
    return quoted + "\""
  }

  /// Whether a text has only letters, digits, `_`, `.`, `/` and inner spaces, begins with a letter,
  /// and is not a YAML keyword.
  private static func isPlainWord(_ text: String) -> Bool {
    guard let first = text.utf8.first, (97...122).contains(first | 0x20), text.utf8.last != 0x20,
      !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
    else { return false }
    return text.isWord(with: "_./ ")
  }
}
