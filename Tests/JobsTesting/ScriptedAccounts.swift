package import Firestore
import Synchronization

/// Accounts in memory, in pages after ids, that a test changes between two pages.
package final class ScriptedAccounts: Sendable {
  private struct State {
    var accounts: [String: Account] = [:]
    var calls = 0
    var failures: [Int: any Error] = [:]
    var changes: [Int: @Sendable (ScriptedAccounts) -> Void] = [:]
  }

  private let state = Mutex(State())
  /// Whether a full page has a token when nothing follows, as Google's emulator sends it.
  private let endsWithEmptyPage: Bool

  package init(_ accounts: [Account] = [], endsWithEmptyPage: Bool = false) {
    self.endsWithEmptyPage = endsWithEmptyPage
    put(accounts)
  }

  package func put(_ accounts: [Account]) {
    state.withLock { state in
      for account in accounts { state.accounts[account.uid] = account }
    }
  }

  package func remove(_ uid: String) {
    state.withLock { _ = $0.accounts.removeValue(forKey: uid) }
  }

  /// Calls so far, failed ones included.
  package var calls: Int { state.withLock(\.calls) }

  /// The call with this number, from 1 on, throws.
  package func fail(_ call: Int, with error: any Error) {
    state.withLock { $0.failures[call] = error }
  }

  /// Is called before the call with this number.
  package func before(_ call: Int, _ change: @escaping @Sendable (ScriptedAccounts) -> Void) {
    state.withLock { $0.changes[call] = change }
  }

  package func accounts(after token: String?, limit: Int) async throws -> AccountPage {
    let (change, failure) = state.withLock { state in
      state.calls += 1
      return (state.changes[state.calls], state.failures[state.calls])
    }
    change?(self)
    if let failure { throw failure }
    let known = state.withLock(\.accounts)
    let ids = known.keys.filter { id in token.map { $0 < id } ?? true }.sorted()
    let page = ids.prefix(limit)
    let isFull = page.count == limit && (endsWithEmptyPage || ids.count > limit)
    return AccountPage(page.compactMap { known[$0] }, nextToken: isFull ? page.last : nil)
  }
}
