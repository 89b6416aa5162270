import Foundation
import Model
import Testing

@testable import Jobs

/// What a hook with `once_per_outage` remembers between runs.
struct OutageMessagesTests {
  private static func report(_ outcome: Run.Outcome, failures: Int) -> HookReport {
    HookReport(app: "ChatHub", job: "online-users", moment: .ended(outcome), failures: failures)
  }

  /// A run, whether it is to be told, and whether the hook that told it ended well.
  private struct Step {
    var outcome: Run.Outcome
    var failures: Int
    var isDue: Bool
    var wasTold: Bool
  }

  @Test func `a failure is due until it is told, a success until the recovery is`() {
    let steps = [
      Step(outcome: .ok, failures: 0, isDue: false, wasTold: true),
      Step(outcome: .failed, failures: 1, isDue: true, wasTold: false),
      Step(outcome: .blocked, failures: 2, isDue: true, wasTold: true),
      Step(outcome: .failed, failures: 3, isDue: false, wasTold: true),
      Step(outcome: .partial, failures: 3, isDue: true, wasTold: false),
      Step(outcome: .fresh, failures: 0, isDue: true, wasTold: true),
      Step(outcome: .ok, failures: 0, isDue: false, wasTold: true),
      Step(outcome: .failed, failures: 1, isDue: true, wasTold: true),
    ]
    var memory = OutageMessages()
    for (number, step) in steps.enumerated() {
      let report = Self.report(step.outcome, failures: step.failures)
      // The failures in a row before this run.
      let before = step.outcome == .failed || step.outcome == .blocked ? 0 : step.failures
      #expect(memory.isDue(report.moment, afterFailures: before) == step.isDue, "step \(number)")
      memory.note(report, wasTold: step.wasTold)
    }
  }

  @Test(arguments: [(0, false), (1, true)])
  func `a success after a failure that nobody remembers is due`(failures: Int, isDue: Bool) {
    #expect(OutageMessages().isDue(.ended(.ok), afterFailures: failures) == isDue)
  }

  @Test(arguments: [Run.Outcome.interrupted, .locked])
  func `an interruption and a taken lock say nothing about the job`(outcome: Run.Outcome) {
    var memory = OutageMessages()
    memory.note(Self.report(.failed, failures: 4), wasTold: true)
    let before = memory
    #expect(!memory.isDue(.ended(outcome), afterFailures: 4))
    memory.note(Self.report(outcome, failures: 4), wasTold: true)
    #expect(memory == before)
    #expect(!memory.isDue(.started, afterFailures: 4))
  }

  @Test func `a recovery that could not be told keeps the number of failures`() throws {
    var memory = OutageMessages()
    memory.note(Self.report(.failed, failures: 7), wasTold: true)
    memory.note(Self.report(.ok, failures: 7), wasTold: false)
    #expect(memory.isRecoveryDue && memory.failures == 7 && !memory.isFailureTold)
    let read = try JSONDecoder().decode(OutageMessages.self, from: JSONEncoder().encode(memory))
    #expect(read == memory)
    memory.note(Self.report(.ok, failures: 0), wasTold: true)
    #expect(memory == OutageMessages())
  }
}
