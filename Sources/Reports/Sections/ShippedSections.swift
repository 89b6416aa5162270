/// The sections that are files of the folder `Sections/Queries`, compiled into the program:
/// docs/figures.md.
package enum ShippedSections {
  /// A file of the program.
  package struct File: Sendable {
    /// For example `usage/by-feature`, of the file `usage-by-feature.sql`.
    package let name: String
    package let bytes: [UInt8]

    /// The query without its header.
    package var sql: String {
      let text = String(decoding: bytes, as: UTF8.self)
      return text.firstRange(of: "---*/").map { String(text[$0.upperBound...]) } ?? text
    }

    /// Where it lies in the repository.
    package var path: String {
      "Sources/Reports/Sections/Queries/\(name.replacing("/", with: "-")).sql"
    }
  }

  /// By name.
  package static let all = [
    File(name: "limits/fetched-settings", bytes: PackageResources.limits_fetched_settings_sql),
    File(name: "limits/live", bytes: PackageResources.limits_live_sql),
    File(name: "limits/paywall", bytes: PackageResources.limits_paywall_sql),
    File(name: "limits/quota-reach", bytes: PackageResources.limits_quota_reach_sql),
    File(name: "limits/quota-what-if", bytes: PackageResources.limits_quota_what_if_sql),
    File(name: "limits/setting-changes", bytes: PackageResources.limits_setting_changes_sql),
    File(name: "money/base", bytes: PackageResources.money_base_sql),
    File(name: "money/blocks", bytes: PackageResources.money_blocks_sql),
    File(name: "money/blocks-by", bytes: PackageResources.money_blocks_by_sql),
    File(name: "money/by-day", bytes: PackageResources.money_by_day_sql),
    File(name: "money/conditions", bytes: PackageResources.money_conditions_sql),
    File(name: "money/forecast", bytes: PackageResources.money_forecast_sql),
    File(name: "money/grace", bytes: PackageResources.money_grace_sql),
    File(name: "money/lifetime", bytes: PackageResources.money_lifetime_sql),
    File(name: "money/limit-payers", bytes: PackageResources.money_limit_payers_sql),
    File(name: "money/new-subscribers", bytes: PackageResources.money_new_subscribers_sql),
    File(name: "money/not-entitled", bytes: PackageResources.money_not_entitled_sql),
    File(name: "money/not-paid", bytes: PackageResources.money_not_paid_sql),
    File(name: "money/payers", bytes: PackageResources.money_payers_sql),
    File(name: "money/payers-by-day", bytes: PackageResources.money_payers_by_day_sql),
    File(name: "money/paying", bytes: PackageResources.money_paying_sql),
    File(name: "money/payment-changes", bytes: PackageResources.money_payment_changes_sql),
    File(name: "money/payments", bytes: PackageResources.money_payments_sql),
    File(name: "money/price-answer", bytes: PackageResources.money_price_answer_sql),
    File(name: "money/price-received", bytes: PackageResources.money_price_received_sql),
    File(name: "money/price-revenue", bytes: PackageResources.money_price_revenue_sql),
    File(name: "money/price-test", bytes: PackageResources.money_price_test_sql),
    File(name: "money/purchase-sources", bytes: PackageResources.money_purchase_sources_sql),
    File(name: "money/received", bytes: PackageResources.money_received_sql),
    File(name: "money/trials", bytes: PackageResources.money_trials_sql),
    File(name: "money/unrecovered", bytes: PackageResources.money_unrecovered_sql),
    File(name: "ratings/asking", bytes: PackageResources.ratings_asking_sql),
    File(name: "ratings/by-country", bytes: PackageResources.ratings_by_country_sql),
    File(name: "ratings/by-day", bytes: PackageResources.ratings_by_day_sql),
    File(name: "ratings/by-platform", bytes: PackageResources.ratings_by_platform_sql),
    File(name: "ratings/by-version", bytes: PackageResources.ratings_by_version_sql),
    File(name: "ratings/by-week", bytes: PackageResources.ratings_by_week_sql),
    File(name: "ratings/completion", bytes: PackageResources.ratings_completion_sql),
    File(name: "ratings/funnel", bytes: PackageResources.ratings_funnel_sql),
    File(name: "ratings/funnel-thresholds", bytes: PackageResources.ratings_funnel_thresholds_sql),
    File(name: "ratings/funnel-versions", bytes: PackageResources.ratings_funnel_versions_sql),
    File(name: "ratings/funnel-weeks", bytes: PackageResources.ratings_funnel_weeks_sql),
    File(name: "ratings/outbox", bytes: PackageResources.ratings_outbox_sql),
    File(name: "ratings/show-rate", bytes: PackageResources.ratings_show_rate_sql),
    File(name: "ratings/stars", bytes: PackageResources.ratings_stars_sql),
    File(name: "ratings/store-countries", bytes: PackageResources.ratings_store_countries_sql),
    File(name: "ratings/store-means", bytes: PackageResources.ratings_store_means_sql),
    File(name: "ratings/store-versions", bytes: PackageResources.ratings_store_versions_sql),
    File(name: "ratings/tries", bytes: PackageResources.ratings_tries_sql),
    File(name: "runs/by-day", bytes: PackageResources.runs_by_day_sql),
    File(name: "runs/costs", bytes: PackageResources.runs_costs_sql),
    File(name: "runs/job-effort", bytes: PackageResources.runs_job_effort_sql),
    File(name: "runs/ledger", bytes: PackageResources.runs_ledger_sql),
    File(name: "runs/load-triggers", bytes: PackageResources.runs_load_triggers_sql),
    File(name: "runs/newest-reads", bytes: PackageResources.runs_newest_reads_sql),
    File(name: "runs/readers", bytes: PackageResources.runs_readers_sql),
    File(name: "runs/readers-by-job", bytes: PackageResources.runs_readers_by_job_sql),
    File(name: "runs/skipped", bytes: PackageResources.runs_skipped_sql),
    File(name: "runs/staleness", bytes: PackageResources.runs_staleness_sql),
    File(name: "runs/warnings", bytes: PackageResources.runs_warnings_sql),
    File(name: "usage/blocked-hours", bytes: PackageResources.usage_blocked_hours_sql),
    File(name: "usage/by-day", bytes: PackageResources.usage_by_day_sql),
    File(name: "usage/by-feature", bytes: PackageResources.usage_by_feature_sql),
    File(
      name: "usage/by-feature-segment-day", bytes: PackageResources.usage_by_feature_segment_day_sql
    ),
    File(name: "usage/by-platform", bytes: PackageResources.usage_by_platform_sql),
    File(name: "usage/by-segment", bytes: PackageResources.usage_by_segment_sql),
    File(name: "usage/changes", bytes: PackageResources.usage_changes_sql),
    File(name: "usage/funnel", bytes: PackageResources.usage_funnel_sql),
    File(name: "usage/funnel-before", bytes: PackageResources.usage_funnel_before_sql),
    File(name: "usage/funnel-by-attempt", bytes: PackageResources.usage_funnel_by_attempt_sql),
    File(name: "usage/funnel-by-country", bytes: PackageResources.usage_funnel_by_country_sql),
    File(name: "usage/funnel-by-criteria", bytes: PackageResources.usage_funnel_by_criteria_sql),
    File(name: "usage/funnel-by-feature", bytes: PackageResources.usage_funnel_by_feature_sql),
    File(name: "usage/funnel-by-platform", bytes: PackageResources.usage_funnel_by_platform_sql),
    File(name: "usage/funnel-by-version", bytes: PackageResources.usage_funnel_by_version_sql),
    File(name: "usage/heaviest-users", bytes: PackageResources.usage_heaviest_users_sql),
    File(name: "usage/people-by-day", bytes: PackageResources.usage_people_by_day_sql),
    File(name: "usage/popup-outcomes", bytes: PackageResources.usage_popup_outcomes_sql),
    File(name: "usage/popup-times", bytes: PackageResources.usage_popup_times_sql),
    File(name: "usage/popups", bytes: PackageResources.usage_popups_sql),
    File(name: "usage/resets", bytes: PackageResources.usage_resets_sql),
    File(name: "usage/signed-in", bytes: PackageResources.usage_signed_in_sql),
    File(name: "usage/time-to-block", bytes: PackageResources.usage_time_to_block_sql),
    File(name: "usage/today", bytes: PackageResources.usage_today_sql),
    File(name: "usage/uses-a-day", bytes: PackageResources.usage_uses_a_day_sql),
    File(name: "usage/uses-a-session", bytes: PackageResources.usage_uses_a_session_sql),
    File(name: "usage/waits", bytes: PackageResources.usage_waits_sql),
    File(name: "users/by-age", bytes: PackageResources.users_by_age_sql),
    File(name: "users/by-country", bytes: PackageResources.users_by_country_sql),
    File(name: "users/by-gender", bytes: PackageResources.users_by_gender_sql),
    File(name: "users/by-language", bytes: PackageResources.users_by_language_sql),
    File(name: "users/cohorts", bytes: PackageResources.users_cohorts_sql),
    File(name: "users/demand-by-country", bytes: PackageResources.users_demand_by_country_sql),
    File(name: "users/demand-by-gender", bytes: PackageResources.users_demand_by_gender_sql),
    File(name: "users/filter-combinations", bytes: PackageResources.users_filter_combinations_sql),
    File(name: "users/last-seen", bytes: PackageResources.users_last_seen_sql),
    File(name: "users/last-seen-bands", bytes: PackageResources.users_last_seen_bands_sql),
    File(name: "users/newest", bytes: PackageResources.users_newest_sql),
    File(name: "users/newest-online", bytes: PackageResources.users_newest_online_sql),
    File(name: "users/online", bytes: PackageResources.users_online_sql),
    File(name: "users/retention", bytes: PackageResources.users_retention_sql),
    File(name: "users/subscriber-cohorts", bytes: PackageResources.users_subscriber_cohorts_sql),
    File(name: "users/subscribers", bytes: PackageResources.users_subscribers_sql),
    File(name: "users/tiers", bytes: PackageResources.users_tiers_sql),
    File(name: "users/versions", bytes: PackageResources.users_versions_sql),
  ]
}
