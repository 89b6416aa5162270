import CollectionMapping
import Firestore
import Foundation
import HTTP
import Jobs
import Model
import Sync
import Workspace

/// Checks whether project and database answer, and whether the jobs' queries have their indexes.
///
/// It sends one limited query per job, which is one billed read; see `docs/doctor.md#firestore`.
struct FirestoreCheck: DoctorCheck {
  static let name = "firestore"
  static let needsNetwork = true

  func findings(in context: DoctorContext) async throws -> [DoctorFinding] {
    let (config, jobs) = try context.configured()
    let catalog = try context.listedJobs()
    let firestore = jobs.services.firestore
    do {
      // There are no retries, so that the check does not wait for an absent server.
      _ = try await firestore.serverTime()
    } catch let error as HTTPError {
      return fail(error.description)
    }
    let before = await firestore.traffic().billedReadCount
    var probes: [DoctorFinding] = []
    let root: ResourceName
    var edition = FirestoreEdition.standard
    do {
      let database = try await firestore.database()
      root = database.root
      let known = try await database.knownFacts(at: context.clock.now) { jobs.observer.note($0) }
      if let facts = known?.facts {
        probes += finding(of: facts)
        edition = facts.edition
      }
      let probed = catalog.jobs.compactMap { job in
        Self.probe(of: job.definition.queries).map { (job: job, query: $0) }
      }
      for (job, query) in probed { probes += try await probe(query, of: job, database) }
      if probed.isEmpty {
        _ = try await database.document(
          at: "AppSettings/\(config.app.bundleId)", readTime: nil)
      }
      let policies = try await database.knownPolicies { jobs.observer.note($0) }
      probes += catalog.jobs.flatMap { job in policies.flatMap { findings($0, job) } }
    } catch let error as CancellationError {
      throw error
    } catch {
      return probes + fail(String(describing: error))
    }
    let reads = await firestore.traffic().billedReadCount - before
    for job in catalog.jobs where job.kind == SyncAuthOptions.kind {
      probes += try await probeAccounts(of: job, firestore)
    }
    return ok("\(root) answers; the check used \(edition.billed(reads)).") + probes
  }

  /// Returns the database's edition and protection; a failure when the API is closed to all
  /// clients.
  private func finding(of facts: DatabaseFacts) -> [DoctorFinding] {
    facts.firestoreAccess == false
      ? fail(
        "\(facts.words).", "Enable its Firestore data access, or name another database.")
      : ok("\(facts.words).")
  }

  /// Returns what a TTL policy means for a job that copies its documents; none for other jobs.
  private func findings(_ policy: ExpiryPolicy, _ job: Job) -> [DoctorFinding] {
    let froms = job.definition.queries.flatMap(\.from)
    guard froms.contains(where: { $0.collectionId == policy.collectionId }) else { return [] }
    let sentence = "\(policy.clause): they disappear without an update."
    guard job.definition.keepsGoneRows else { return ok(sentence, about: job.name) }
    return warn(
      sentence,
      "Set 'deletes' in its file, or its rows stay: see "
        + "docs/jobs/sync-collection.md#ttl-policies.", about: job.name)
  }

  /// Returns the query to test: the first that needs its own index, else the first one.
  private static func probe(of queries: [StructuredQuery]) -> StructuredQuery? {
    let needy = queries.first { query in
      QueryIndex.serving(query).contains { !$0.isAutomatic }
    }
    return (needy ?? queries.first).map { query in
      var query = query
      query.limit = 1
      query.select = [.documentName]
      return query
    }
  }

  /// Lists one account, to check the API and the permission; not billed.
  private func probeAccounts(
    of job: Job, _ service: any FirestoreService
  ) async throws -> [DoctorFinding] {
    do {
      _ = try await service.accounts()(nil, 1)
      return ok("Firebase Authentication answers \(job.name).", about: job.name)
    } catch let error as CancellationError {
      throw error
    } catch {
      return fail(String(describing: error), about: job.name)
    }
  }

  /// - Throws: errors unrelated to indexes.
  private func probe(
    _ query: StructuredQuery, of job: Job, _ database: any FirestorePort
  ) async throws -> [DoctorFinding] {
    do {
      var query = query
      query.filter = try query.filter.map { try $0.completed(in: database.root) }
      // Without an index the query would scan the collection.
      if !database.edition.rules.refusesUnindexedQueries {
        (query.filter, query.orderBy) = (nil, [.init(field: .documentName)])
      }
      let parent = try job.definition.copies?.parent.map { try database.root.appending(path: $0) }
      _ = try await database.documents(of: query, under: parent)
    } catch let error as WireError {
      return fail(error.description, about: job.name)
    } catch let error as FirestoreError where error.reason == .missingIndex {
      let message = error.description.replacing("\n", with: " ")
      let advice = "`firetally plan --indexes` prints what all queries need."
      // Loads of all users need no index of their own; those with a filter do.
      return job.kind == SyncUsersOptions.kind && query.filter != nil
        ? warn("\(message) Only filters lack it.", advice, about: job.name)
        : fail(message, advice, about: job.name)
    } catch let error as FirestoreError where error.reason == .buildingIndex {
      return warn(error.description.replacing("\n", with: " "), about: job.name)
    }
    let rules = database.edition.rules
    let needed = IndexFile.indexes(of: [job], in: rules).count
    switch needed {
    case _ where !rules.refusesUnindexedQueries:
      return ok("The queries of \(job.name) are answered; `firetally plan` says what they scan.")
    case 0: return ok("The queries of \(job.name) need no index of their own.", about: job.name)
    case 1: return ok("The index of \(job.name) was found.", about: job.name)
    default:
      return ok(
        "The query of \(job.name) that was tried has its index; `firetally plan --indexes` lists "
          + "all \(needed).", about: job.name)
    }
  }
}
