import Testing

@testable import Jobs

struct CronScheduleTests {
  @Test(arguments: [
    ("* * * * *", "minute", Array(0...59)), ("0 * * * *", "minute", [0]),
    ("59 * * * *", "minute", [59]), ("*/20 * * * *", "minute", [0, 20, 40]),
    ("3-59/30 * * * *", "minute", [3, 33]), ("1,5,3,5 * * * *", "minute", [1, 3, 5]),
    ("10-12,50-59/5 * * * *", "minute", [10, 11, 12, 50, 55]),
    ("*/59 * * * *", "minute", [0, 59]),
    ("0 0-23/6 * * *", "hour", [0, 6, 12, 18]), ("0 23 * * *", "hour", [23]),
    ("0 0 1,31 * *", "day", [1, 31]), ("0 0 * jan-mar *", "month", [1, 2, 3]),
    ("0 0 * DEC,Feb *", "month", [2, 12]), ("0 0 * 1-12/11 *", "month", [1, 12]),
    ("0 0 * * 0", "weekday", [0]), ("0 0 * * 7", "weekday", [0]),
    ("0 0 * * sun,sat", "weekday", [0, 6]), ("0 0 * * 5-7", "weekday", [0, 5, 6]),
    ("0 0 * * mon-fri", "weekday", [1, 2, 3, 4, 5]), ("0 0 * * */2", "weekday", [0, 2, 4, 6]),
    ("0 0 * * *", "weekday", [0, 1, 2, 3, 4, 5, 6]),
  ])
  func `a field allows the values it lists`(text: String, field: String, values: [Int]) throws {
    let schedule = try CronSchedule(parsing: text)
    let fields = [
      "minute": schedule.minute, "hour": schedule.hour, "day": schedule.day,
      "month": schedule.month, "weekday": schedule.weekday,
    ]
    #expect(fields[field]?.values == values)
  }

  @Test func `a field contains what it lists, and nothing beside it`() throws {
    let field = try CronField("10-12,50", at: CronField.minute)
    #expect((0...59).filter(field.contains) == [10, 11, 12, 50])
    #expect(!field.isStarred)
    #expect(try CronField("*/30", at: CronField.minute).isStarred)
    // Sunday has two numbers, and is one day.
    #expect(try CronField("7", at: CronField.weekday) == CronField("0", at: CronField.weekday))
  }

  @Test(arguments: [
    ("60 * * * *", "60 is not from 0 to 59"), ("-1 * * * *", "'' is not a number"),
    ("* 24 * * *", "24 is not from 0 to 23"), ("* * 0 * *", "0 is not from 1 to 31"),
    ("* * 32 * *", "32 is not from 1 to 31"), ("* * * 0 *", "0 is not from 1 to 12"),
    ("* * * 13 *", "13 is not from 1 to 12"), ("* * * * 8", "8 is not from 0 to 7"),
    ("5-1 * * * *", "runs backwards"), ("* * * * fri-mon", "runs backwards"),
    ("*/0 * * * *", "must be from 1 to 59"), ("*/60 * * * *", "must be from 1 to 59"),
    ("5/10 * * * *", "needs a range or '*'"), ("1, * * * *", "'' is not a number"),
    ("jan * * * *", "'jan' is not a number"), ("* * * janu *", "is not a number or name"),
    ("1-2-3 * * * *", "'2-3' is not a number"), ("** * * * *", "is not a number"),
    ("1.5 * * * *", "is not a number"), ("٣ * * * *", "is not a number"),
    ("9999999999999999999 * * * *", "is not a number"), ("*/*/2 * * * *", "must be from 1"),
  ])
  func `a field that is wrong says why`(text: String, reason: String) {
    let error = #expect(throws: CronSyntaxError.self) { try CronSchedule(parsing: text) }
    #expect(error?.description.hasPrefix("bad schedule: the ") == true)
    #expect(error?.description.contains(reason) == true)
  }

  @Test(arguments: [("5", 1), ("* * * *", 4), ("* * * * * *", 6), ("", 0), ("   ", 0)])
  func `there are five fields, no fewer and no more`(text: String, count: Int) {
    let error = #expect(throws: CronSyntaxError.self) { try CronSchedule(parsing: text) }
    #expect(error?.description.hasSuffix("day of week), not \(count)") == true)
  }

  @Test(arguments: [
    ("@hourly", "0 * * * *"), ("@daily", "0 0 * * *"), ("@midnight", "0 0 * * *"),
    ("@weekly", "0 0 * * 0"), ("@monthly", "0 0 1 * *"), ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"), (" @Daily ", "0 0 * * *"), ("  5\t4 *  * * ", "5 4 * * *"),
  ])
  func `nicknames stand for fields, and spaces do not matter`(text: String, fields: String) throws {
    #expect(try CronSchedule(parsing: text).description == fields)
  }

  @Test(arguments: ["@reboot", "@every 5m", "@"])
  func `other nicknames are refused with the known ones`(text: String) {
    let error = #expect(throws: CronSyntaxError.self) { try CronSchedule(parsing: text) }
    #expect(error?.description.contains("is not one of @annually, @daily") == true)
  }

  @Test(arguments: [
    ("0 0 29 2 *", true), ("0 0 30 2 *", false), ("0 0 31 4,6,9,11 *", false),
    ("0 0 31 4,5 *", true), ("0 0 30 2 1", true), ("0 0 30 2 */2", false),
    ("0 0 29-31 2 *", true),
  ])
  func `a schedule that is never due is refused`(text: String, canBeDue: Bool) {
    #expect(((try? CronSchedule(parsing: text)) != nil) == canBeDue)
  }
}
