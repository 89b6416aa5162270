extension WorkspaceTemplate {
  static func configuration(_ place: TemplateValues, isPlain: Bool) -> String {
    let parts = [
      head, isPlain ? plainApp(place) : app(place), firestore(place), isPlain ? "" : services,
      isPlain ? "" : appValues(place), operation(place),
    ]
    return parts.joined()
  }

  private static let head = """
    # A Firetally workspace: this file, the jobs in jobs/, the data in data/ and the
    # reports in output/. Every key is explained in firetally.yml(5) and docs/jobs.md.


    """

  private static func app(_ place: TemplateValues) -> String {
    """
    app:
      \(place.nameLines(place.app ?? TemplateValues.exampleApp.name))
      bundle_id: \(TemplateValues.yaml(place.bundleId ?? TemplateValues.exampleApp.bundleId))
      # ios or android; the first word of the app's event names.
      platform: ios
      # Where users write reviews, shown after a good rating:
      # app_store_url: https://apps.apple.com/app/id0000000000?action=write-review


    """
  }

  private static func plainApp(_ place: TemplateValues) -> String {
    """
    app:
      \(place.nameLines(place.app ?? place.project))
      # Only jobs about one app's users, settings and events need its own:
      bundle_id: \(TemplateValues.yaml(place.bundleId ?? "com.example.app"))


    """
  }

  private static func firestore(_ place: TemplateValues) -> String {
    """
    firestore:
      # --project and GOOGLE_CLOUD_PROJECT win over this.
      project: \(TemplateValues.yaml(place.project))
      # database: (default)
      # Set one of these credentials. The default is GOOGLE_APPLICATION_CREDENTIALS, then the
      # login of 'gcloud auth application-default login', then the metadata server.
      # credentials: /etc/firetally/service-account.json
      # token_command: gcloud auth print-access-token
      # A private certificate authority, as PEM:
      # ca_file: /etc/ssl/company.pem


    """
  }

  private static let services = """
    # Read the Firebase Remote Config template too; AppSettings wins over it.
    remote_config:
      enabled: false

    # Where moments go. The service needs the app's token. It is in the environment
    # (FIRETALLY_MOMENTS_TOKEN) or in a file that only you can read:
    # moments:
    #   base_url: https://api.example.com/v1
    #   token_file: /etc/firetally/moments.token

    # The events of firetally's own commands, for Google Analytics as well:
    # analytics:
    #   firebase_app_id: 1:1234567890:ios:321abc456def7890
    #   app_instance_id: 0123456789abcdef0123456789abcdef
    #   api_secret_file: /etc/firetally/ga4.secret

    # Values that win over every fetched one:
    # settings:
    #   refresh.limit: 5
    #   refresh.cooldown: 60


    """

  /// Returns the app's prices: those of the example, or as a comment for another app.
  private static func appValues(_ place: TemplateValues) -> String {
    let mark = place.app == nil ? "" : "# "
    return """
      # What the subscriptions cost; popups show the first.
      \(mark)prices:
      \(mark)  lite: $2.99/week
      \(mark)  plus: $5.99/week
      \(mark)  pro: $9.99/week


      """
  }

  private static func operation(_ place: TemplateValues) -> String {
    """
    # Who gets messages about problems: when one begins, daily while it lasts, and when it ends
    # (docs/incidents.md). An address, mail:ADDRESS or a command; 'firetally hooks test' tries it.
    # Without it, cron mails it (cron.example).
    \(place.notifyLine)

    # The time zone of schedules and of the days in reports.
    time_zone: UTC

    # What reads cost (Google's price list for your region), and how many a day may use. Loads
    # stop at that number and go on the next day. A day ends at midnight Pacific time, like
    # Google's quota:
    # cost:
    #   per_100k_reads: 0.06
    #   currency: USD
    #   max_reads_per_day: 50000

    """
  }

  /// Returns the crontab, with the times of the `schedule` keys in the job files.
  static func cron(_ place: TemplateValues, isPlain: Bool) -> String {
    let owner = place.user.map { " of \($0)" } ?? ""
    let run = "\(place.programName) -C \"$WORKSPACE\" run"
    return """
      # The crontab\(owner) for this workspace. Install it in one of two ways:
      #
      #   crontab cron.example    replaces the whole crontab\(owner); crontab -l shows the present one
      #   crontab -e              keeps the present lines: paste the lines below into it
      #
      # Each job decides by itself whether there is something to do, and two jobs that
      # start together wait for each other. What goes wrong is printed once a day at most, and
      # mailed by cron, unless 'notify' in firetally.yml names whom to tell.

      \(variables(place))
      # cron reads these times in the system's time zone: give the machine the time_zone of
      # firetally.yml. A per cent sign in a command must be written \\%.

      \(isPlain ? dueLine(run) : jobLines(run))

      # To keep it in a file as well, add 2>>"$WORKSPACE/data/cron.log" to the lines; then only
      # 'notify' of firetally.yml tells anybody. As JSON lines: \(place.programName) --log-format json -C ...

      """
  }

  private static func jobLines(_ run: String) -> String {
    """
    # minute hour day-of-month month day-of-week command
    3-59/30 * * * * \(run) settings
    */10 * * * * \(run) online-users
    20 * * * * \(run) events
    2-59/5 * * * * \(run) upload-feedback
    26 * * * * \(run) feedback
    4-59/5 * * * * \(run) settle
    35 6 * * * \(run) report
    15 3 * * * \(run) maintain

    # Or leave the times to the job files, with this one line instead of the eight:
    # */5 * * * * \(run) --due
    """
  }

  private static func dueLine(_ run: String) -> String {
    """
    # The times are in the job files, under 'schedule'; those without one run by name, or all with
    # 'run --all'.
    # minute hour day-of-month month day-of-week command
    */5 * * * * \(run) --due
    """
  }

  /// Returns the variables of the crontab, each with a comment.
  private static func variables(_ place: TemplateValues) -> String {
    var folder =
      TemplateValues.cronValue(place.folder) == nil
      ? TemplateValues.example.folder : place.folder
    // Debian's cron removes spaces at the end of a value, even within quotes.
    if folder.last?.isWhitespace == true { folder += "/" }
    let value = { (text: String) in TemplateValues.cronValue(text) ?? text }
    let cronPath = TemplateValues.cronValue(place.cronPath)
    return """
      # Where the workspace is.
      WORKSPACE=\(value(folder))
      # cron's own PATH is short: the folder that holds \(place.program ?? "firetally") is in this one.
      PATH=\(cronPath ?? "/usr/local/bin:/usr/bin:/bin")
      SHELL=/bin/sh
      # Who gets cron's mail, a local user or an address; "" sends none.
      MAILTO=\(place.user.flatMap(TemplateValues.cronValue) ?? "root")
      """
  }
}
