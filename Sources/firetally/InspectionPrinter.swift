import CollectionMapping
import Firestore
import Model
import Operations
import Reports
import Sync

/// A printer of an inspection's findings, as text or as JSON lines; see `docs/inspect.md`.
struct InspectionPrinter {
  let price: ReadPrice

  /// Returns a block: a head, a table of fields, and conclusions.
  func text(of collection: InspectedCollection) -> String {
    var lines = [head(of: collection)]
    let fields = collection.profile.fields
    if !fields.isEmpty {
      lines += Self.fieldColumns.table(of: fields).text.split(separator: "\n")
        .map { "  " + $0.replacing(#/ +$/#, with: "") }
    }
    if collection.profile.isTruncated {
      lines.append("  More fields than are counted: the documents use data as field names.")
    }
    return (lines + below(collection).map { "  " + VisibleText.line($0) }).joined(separator: "\n")
  }

  private func head(of collection: InspectedCollection) -> String {
    let name = VisibleText.line(collection.name)
    let group = collection.source.isGroup ? " (group)" : ""
    guard let count = collection.count, let reads = collection.fullReads else {
      return "\(name)\(group): not counted"
    }
    return "\(name)\(group): \(NumberWords.counted(count, "document")), "
      + "\(NumberWords.grouped(collection.profile.documentCount)) sampled; a full load costs "
      + "\(price.edition == .enterprise ? price.counted(reads) : NumberWords.counted(reads, "read")), about \(NumberWords.money(price.cost(of: reads)))"
  }

  private func below(_ collection: InspectedCollection) -> [String] {
    var lines: [String] = []
    if !collection.places.isEmpty {
      lines.append("at: \(collection.places.sorted().joined(separator: ", "))")
    }
    if !collection.subcollections.isEmpty {
      let list = collection.subcollections.map {
        "\($0.id) (\($0.documents) of \(parents(of: collection)))"
      }
      lines.append("subcollections: \(list.joined(separator: ", "))\(count(below: collection))")
    } else if collection.documentsBelow ?? 0 > 0 {
      lines.append(
        "subcollections: in none of \(parents(of: collection))\(count(below: collection))")
    }
    let candidates = collection.profile.incrementalCandidates.map { candidate in
      let share = Self.share(
        candidate.followsWriteCount, of: collection.profile.documentCount)
      return "\(candidate.field) (\(share) within a minute of the write)"
    }
    if !candidates.isEmpty {
      lines.append("incremental: \(candidates.joined(separator: ", "))")
    }
    return lines
      + collection.expiry.map { policy in
        "\(policy.clause): they disappear without an update; "
          + "see docs/jobs/sync-collection.md#ttl-policies."
      }
  }

  /// Returns how many documents had their subcollections listed: `10 documents`.
  private func parents(of collection: InspectedCollection) -> String {
    "\(collection.parentCount)\(collection.hasMissingParents ? " missing" : "") documents"
  }

  private func count(below collection: InspectedCollection) -> String {
    collection.documentsBelow.map { "; \(NumberWords.counted($0, "document")) below" } ?? ""
  }

  /// Returns a sentence about data outside the findings; nil when the message about the budget
  /// suffices.
  static func completeness(
    _ findings: Inspection.Findings, _ request: InspectionRequest
  ) -> String? {
    guard findings.stop == nil else { return nil }
    guard request.searchesBelow else {
      let option = request.depth == 1 ? "--depth is 1" : "--parents is 0"
      return "Subcollections were not looked at, because \(option)."
    }
    if findings.isComplete {
      return request.collections.isEmpty
        ? "Every document is in one of these collections."
        : "Every document below them is in one of these collections."
    }
    guard let notFound = findings.notFound else {
      let isGroup = request.collections.contains(where: \.isGroup)
      return "Subcollections of documents that were not asked may be missing; "
        + (isGroup ? "below groups they are not counted: inspect without --group." : "see -v.")
    }
    var sentences: [String] = []
    let places = findings.tooDeep.values.flatMap(\.self).sorted().joined(separator: ", ")
    if !places.isEmpty {
      sentences.append("Not looked at, because --depth is \(request.depth): \(places).")
    }
    if notFound > 0 {
      sentences.append(
        "\(NumberWords.counted(notFound, "document")) in subcollections were not found; name "
          + "these with --group.")
    }
    return VisibleText.line(sentences.joined(separator: " "))
  }

  /// Returns the documents below which nothing could be listed, with advice; nil for none.
  static func omissions(_ findings: Inspection.Findings) -> String? {
    guard !findings.unlisted.isEmpty else { return nil }
    let names = findings.unlisted.prefix(3).joined(separator: ", ")
    let more = findings.unlisted.count > 3 ? ", and \(findings.unlisted.count - 3) more" : ""
    return VisibleText.line(
      "The collections below \(names)\(more) were not listed: this server cannot list them below "
        + "an id with a colon. Name each one that is missing here: "
        + "`firetally inspect --group ID`.")
  }

  private static var fieldColumns: [OutputColumn<SampledField>] {
    [
      OutputColumn("field", "path") { $0.path.description },
      OutputColumn(
        "missing", "missing", isNumber: true, value: { $0.missing },
        cell: { share($0.missing, of: $0.of) }),
      OutputColumn(
        "types", "types",
        value: { Dictionary($0.kinds.map { ($0.kind.rawValue, $0.count) }) { first, _ in first } },
        cell: { kinds(of: $0) }),
      OutputColumn("") { note(on: $0) },
      .members {
        [
          "of": $0.of, "present": $0.present, "minElements": $0.lengths?.lowerBound,
          "maxElements": $0.lengths?.upperBound,
        ]
      },
    ]
  }

  private static func kinds(of field: SampledField) -> String {
    guard field.kinds.count > 1 else { return field.kinds.first?.kind.rawValue ?? "" }
    return field.kinds.map { "\($0.kind.rawValue) \(share($0.count, of: field.present))" }
      .joined(separator: ", ")
  }

  private static func note(on field: SampledField) -> String {
    var notes: [String] = []
    if let lengths = field.lengths {
      let count =
        lengths.lowerBound == lengths.upperBound
        ? "\(lengths.lowerBound)" : "\(lengths.lowerBound) to \(lengths.upperBound)"
      notes.append("\(count) elements")
    }
    if field.path.steps.last == .anyKey { notes.append("keys are data") }
    if field.hasUnusualNumber { notes.append("NaN or beyond 2^53") }
    return notes.joined(separator: ", ")
  }

  /// Returns a percentage, with `<1%` and `>99%` instead of a rounded 0% and 100%.
  static func share(_ count: Int, of whole: Int) -> String {
    guard count > 0, whole > 0 else { return "0%" }
    guard count < whole else { return "100%" }
    let percent = (Double(count) * 100 / Double(whole)).rounded()
    return percent < 1 ? "<1%" : percent > 99 ? ">99%" : "\(Int(percent))%"
  }

  /// Returns an object of `message_type` `collection`.
  func json(of collection: InspectedCollection) -> JSONObject {
    let profile = collection.profile
    let reads = collection.fullReads
    let fields = profile.fields.map { Self.fieldColumns.object(of: $0) }
    let below: [JSONObject] = collection.subcollections.map {
      ["id": $0.id, "documents": $0.documents]
    }
    let incremental: [JSONObject] = profile.incrementalCandidates.map {
      ["field": $0.field.description, "followsWrites": $0.followsWriteCount]
    }
    let expiry: [JSONObject] = collection.expiry.map {
      ["field": $0.field, "state": $0.state.rawValue]
    }
    return [
      "message_type": "collection", "collection": collection.name,
      "isGroup": collection.source.isGroup, "places": collection.places.sorted(),
      "documents": collection.count, "sampled": profile.documentCount, "fields": fields,
      "isTruncated": profile.isTruncated, "parents": collection.parentCount,
      "documentsBelow": collection.documentsBelow, "subcollections": below,
      "incremental": incremental, "expiry": expiry, "fullReads": reads,
      "cost": reads.map { price.cost(of: $0).amount }, "currency": price.currency,
    ]
  }

  /// Returns an object of `message_type` `inspect_total`.
  func total(_ findings: Inspection.Findings, reads: Int) -> JSONObject {
    let places = findings.tooDeep.values.flatMap(\.self).sorted()
    return [
      "message_type": "inspect_total", "collections": findings.collections.count,
      "documents": findings.collections.compactMap(\.count).reduce(0, +), "billedReads": reads,
      "notFound": findings.notFound, "tooDeep": places, "unlisted": findings.unlisted,
      "isComplete": findings.stop == nil, "database": findings.database.map(\.line),
    ]
  }

  /// A hint that accounts, which are not documents, can also be copied.
  static let accountsHint =
    "Accounts of Firebase Authentication can be copied too, with kind: sync-auth; "
    + "see docs/jobs/sync-auth.md."

  /// Returns an object of `message_type` `draft`.
  func json(of draft: JobDraft, _ outcome: JobDraft.Outcome, path: String) -> JSONObject {
    [
      "message_type": "draft", "file": path, "outcome": outcome.rawValue, "job": draft.job,
      "takenName": draft.takenName, "columns": draft.columnCount,
      "childTables": draft.childTableCount, "leftOut": draft.leftOutCount,
      "incremental": draft.incremental?.description,
    ]
  }

  func text(of draft: JobDraft, _ outcome: JobDraft.Outcome, path: String) -> String {
    switch outcome {
    case .kept: return "\(path) exists and was kept; --overwrite replaces it."
    case .copied: return "\(path) copies this collection already; nothing was written."
    case .read:
      return "\(path) reads this collection already; nothing was written. To draft it all the "
        + "same, name it: `firetally inspect NAME --write`."
    case .written, .replaced:
      let columns = NumberWords.counted(draft.columnCount, "column")
      let tables =
        draft.childTableCount > 0
        ? ", \(NumberWords.counted(draft.childTableCount, "child table"))" : ""
      let loads = draft.incremental.map { "incremental by \($0)" } ?? "full loads"
      let taken = draft.takenName.map { " The name \($0) is taken by another job." } ?? ""
      let rest =
        draft.leftOutCount > 0
        ? " \(NumberWords.counted(draft.leftOutCount, "field")) did not fit; whole documents have "
          + "\(draft.leftOutCount == 1 ? "it" : "them")." : ""
      return "\(path) \(outcome.rawValue): \(columns)\(tables), \(VisibleText.line(loads))."
        + "\(rest)\(taken)"
    }
  }
}
