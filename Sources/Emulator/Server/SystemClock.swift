package import Firestore
import Glibc

/// The machine's clock, which the server keeps as a real one would.
package enum SystemClock {
  @Sendable package static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
  }
}
