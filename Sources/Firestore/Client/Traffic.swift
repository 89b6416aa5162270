/// What a client has asked and received so far.
package struct Traffic: Hashable, Sendable {
  /// Requests sent to Firestore, retries included; token requests are not counted.
  package var requestCount = 0
  package var retryCount = 0
  /// Bytes of answer bodies on the wire, before unpacking.
  package var receivedBytes = 0
  /// Documents read as Google bills them; see `docs/firestore.md#cost`.
  package var billedReadCount = 0

  package init() {}

  /// What came on top since `earlier`.
  package static func - (later: Traffic, earlier: Traffic) -> Traffic {
    var difference = later
    difference.requestCount -= earlier.requestCount
    difference.retryCount -= earlier.retryCount
    difference.receivedBytes -= earlier.receivedBytes
    difference.billedReadCount -= earlier.billedReadCount
    return difference
  }
}
