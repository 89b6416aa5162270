/// The events that RevenueCat publishes as samples of its webhooks (API version 1.0, of 2026-02),
/// with the members that say something and made-up persons:
/// https://www.revenuecat.com/docs/integrations/webhooks/sample-events.
enum RevenueCatSamples {
  static let initialPurchase = #"""
    {"event":{"event_timestamp_ms":1658726378679,"product_id":"com.subscription.weekly",\#
    "period_type":"NORMAL","purchased_at_ms":1658726374000,"expiration_at_ms":1659331174000,\#
    "environment":"PRODUCTION","transaction_id":"123456789012345",\#
    "original_transaction_id":"123456789012345","is_family_share":false,"country_code":"US",\#
    "app_user_id":"1234567890",\#
    "aliases":["$RCAnonymousID:8069238d6049ce87cc529853916d624c"],\#
    "original_app_user_id":"$RCAnonymousID:87c6049c58069238dce29853916d624c",\#
    "currency":"USD","price":4.99,"price_in_purchased_currency":4.99,\#
    "subscriber_attributes":{"$email":{"updated_at_ms":1662955084635,\#
    "value":"a@example.com"}},"store":"APP_STORE","takehome_percentage":0.7,\#
    "tax_percentage":0.0,"commission_percentage":0.3,"type":"INITIAL_PURCHASE",\#
    "id":"12345678-1234-1234-1234-123456789012","app_id":"1234567890"},"api_version":"1.0"}
    """#

  static let renewal = #"""
    {"event":{"event_timestamp_ms":1658726405017,"product_id":"com.subscription.weekly",\#
    "period_type":"NORMAL","purchased_at_ms":1658755132000,"expiration_at_ms":1659359932000,\#
    "environment":"PRODUCTION","transaction_id":"123456789012345",\#
    "original_transaction_id":"123456789012345","is_family_share":false,"country_code":"DE",\#
    "app_user_id":"1234567890",\#
    "aliases":["$RCAnonymousID:8069238d6049ce87cc529853916d624c"],\#
    "original_app_user_id":"$RCAnonymousID:87c6049c58069238dce29853916d624c",\#
    "currency":"EUR","price":8.14,"price_in_purchased_currency":7.99,\#
    "is_trial_conversion":false,\#
    "subscriber_attributes":{"$email":{"updated_at_ms":1662955084635,\#
    "value":"a@example.com"}},"store":"APP_STORE","takehome_percentage":0.7,\#
    "tax_percentage":0.0,"commission_percentage":0.3,"type":"RENEWAL",\#
    "id":"12345678-1234-1234-1234-123456789012","app_id":"1234567890"},"api_version":"1.0"}
    """#

  static let cancellation = #"""
    {"event":{"event_timestamp_ms":1601337615995,"product_id":"com.revenuecat.myapp.weekly",\#
    "period_type":"NORMAL","purchased_at_ms":1601417766000,"expiration_at_ms":1602022566000,\#
    "environment":"PRODUCTION","transaction_id":"100000000000002",\#
    "original_transaction_id":"100000000000000",\#
    "app_user_id":"$RCAnonymousID:12345678-1234-1234-1234-123456789123",\#
    "aliases":["$RCAnonymousID:12345678-1234-ABCD-1234-123456789123","user_1234"],\#
    "original_app_user_id":"$RCAnonymousID:12345678-1234-ABCD-1234-123456789123",\#
    "currency":"USD","price":0.0,"price_in_purchased_currency":0.0,\#
    "cancel_reason":"UNSUBSCRIBE",\#
    "subscriber_attributes":{"$email":{"updated_at_ms":1662955084635,\#
    "value":"a@example.com"}},"store":"APP_STORE","takehome_percentage":0.7,\#
    "tax_percentage":0.0,"commission_percentage":0.3,"type":"CANCELLATION",\#
    "id":"12345678-ABCD-1234-ABCD-12345678912"},"api_version":"1.0"}
    """#

  static let uncancellation = #"""
    {"event":{"event_timestamp_ms":1663982135337,"product_id":"com.subscription.monthly",\#
    "period_type":"NORMAL","purchased_at_ms":1662643092000,"expiration_at_ms":1665235092000,\#
    "environment":"PRODUCTION","transaction_id":"123456789012345",\#
    "original_transaction_id":"123456789012345","is_family_share":false,"country_code":"US",\#
    "app_user_id":"1234567890",\#
    "aliases":["$RCAnonymousID:8069238d6049ce87cc529853916d624c"],\#
    "original_app_user_id":"$RCAnonymousID:87c6049c58069238dce29853916d624c",\#
    "currency":"USD","price":0.0,"price_in_purchased_currency":0.0,\#
    "subscriber_attributes":{},"store":"APP_STORE","takehome_percentage":0.7,\#
    "tax_percentage":0.0,"commission_percentage":0.3,"type":"UNCANCELLATION",\#
    "id":"12345678-1234-1234-1234-123456789012","app_id":"1234567890"},"api_version":"1.0"}
    """#

  static let nonRenewingPurchase = #"""
    {"event":{"event_timestamp_ms":1658726522314,"product_id":"2100_tokens",\#
    "period_type":"NORMAL","purchased_at_ms":1658726519000,"expiration_at_ms":null,\#
    "environment":"PRODUCTION","transaction_id":"123456789012345",\#
    "original_transaction_id":"123456789012345","is_family_share":false,"country_code":"CA",\#
    "app_user_id":"1234567890",\#
    "aliases":["$RCAnonymousID:8069238d6049ce87cc529853916d624c"],\#
    "original_app_user_id":"$RCAnonymousID:87c6049c58069238dce29853916d624c",\#
    "currency":"CAD","price":25.487,"price_in_purchased_currency":32.99,\#
    "subscriber_attributes":{"$email":{"updated_at_ms":1662955084635,\#
    "value":"a@example.com"}},"store":"APP_STORE","takehome_percentage":0.85,\#
    "tax_percentage":0.0,"commission_percentage":0.15,"type":"NON_RENEWING_PURCHASE",\#
    "id":"12345678-1234-1234-1234-123456789012","app_id":"1234567890"},"api_version":"1.0"}
    """#

  static let subscriptionPaused = #"""
    {"event":{"event_timestamp_ms":1652796516000,"product_id":"premium",\#
    "period_type":"NORMAL","purchased_at_ms":1652681048845,"expiration_at_ms":1655366648845,\#
    "environment":"PRODUCTION","transaction_id":"123456789012345",\#
    "original_transaction_id":"123456789012345","is_family_share":false,"country_code":"US",\#
    "app_user_id":"1234567890",\#
    "aliases":["$RCAnonymousID:8069238d6049ce87cc529853916d624c"],\#
    "original_app_user_id":"$RCAnonymousID:87c6049c58069238dce29853916d624c",\#
    "currency":"USD","price":0.0,"price_in_purchased_currency":0.0,\#
    "subscriber_attributes":{"$email":{"updated_at_ms":1662955084635,\#
    "value":"a@example.com"}},"store":"PLAY_STORE","takehome_percentage":0.85,\#
    "tax_percentage":0.0,"commission_percentage":0.15,"type":"SUBSCRIPTION_PAUSED",\#
    "id":"12345678-1234-1234-1234-123456789012","app_id":"1234567890"},"api_version":"1.0"}
    """#

  static let billingIssue = #"""
    {"event":{"event_timestamp_ms":1601337601013,\#
    "product_id":"com.revenuecat.myapp.monthly","period_type":"NORMAL",\#
    "purchased_at_ms":1598640647000,"expiration_at_ms":1601319047000,\#
    "environment":"PRODUCTION","transaction_id":"100000000000002",\#
    "original_transaction_id":"100000000000000",\#
    "app_user_id":"$RCAnonymousID:12345678-1234-1234-1234-123456789123",\#
    "aliases":["$RCAnonymousID:12345678-1234-1234-1234-123456789123"],\#
    "original_app_user_id":"$RCAnonymousID:12345678-1234-1234-1234-123456789123",\#
    "currency":"USD","price":0,"price_in_purchased_currency":0,\#
    "subscriber_attributes":{"$email":{"updated_at_ms":1662955084635,\#
    "value":"a@example.com"}},"store":"APP_STORE","takehome_percentage":0.7,\#
    "tax_percentage":0.0,"commission_percentage":0.3,"type":"BILLING_ISSUE",\#
    "id":"12345678-1234-1234-1234-12345678912"},"api_version":"1.0"}
    """#

  static let transfer = #"""
    {"event":{"event_timestamp_ms":78789789798798,"environment":"PRODUCTION",\#
    "store":"APP_STORE","transferred_from":["00005A1C-6091-4F81-BE77-F0A83A271AB6"],\#
    "transferred_to":["4BEDB450-8EF2-11E9-B475-0800200C9A66"],"type":"TRANSFER",\#
    "id":"CD489E0E-5D52-4E03-966B-A7F17788E432","app_id":"1234567890"},"api_version":"1.0"}
    """#

  static let refund = #"""
    {"event":{"event_timestamp_ms":1601337615995,\#
    "product_id":"com.revenuecat.myapp.monthly","period_type":"NORMAL",\#
    "purchased_at_ms":1601258901000,"expiration_at_ms":1601336705000,\#
    "environment":"PRODUCTION","transaction_id":"100000000000000",\#
    "original_transaction_id":"100000000000000",\#
    "app_user_id":"$RCAnonymousID:12345678-1234-ABCD-1234-123456789123",\#
    "aliases":["$RCAnonymousID:12345678-1234-1234-1234-123456789123","user_1234"],\#
    "original_app_user_id":"$RCAnonymousID:12345678-1234-1234-1234-123456789123",\#
    "currency":"USD","price":-9.99,"price_in_purchased_currency":-9.99,\#
    "cancel_reason":"CUSTOMER_SUPPORT",\#
    "subscriber_attributes":{"$email":{"updated_at_ms":1662955084635,\#
    "value":"a@example.com"}},"store":"APP_STORE","takehome_percentage":0.7,\#
    "tax_percentage":0.1109,"commission_percentage":0.3,"type":"CANCELLATION",\#
    "id":"12345678-1234-1234-1234-12345678912"},"api_version":"1.0"}
    """#

  static let productChange = #"""
    {"event":{"event_timestamp_ms":1601338594769,\#
    "product_id":"com.revenuecat.myapp.monthly","period_type":"NORMAL",\#
    "purchased_at_ms":1601304429682,"expiration_at_ms":1601311606660,\#
    "environment":"PRODUCTION","transaction_id":"GPA.1234-1234-1234-12345",\#
    "original_transaction_id":"GPA.1234-1234-1234-12345",\#
    "app_user_id":"$RCAnonymousID:12345678-1234-1234-1234-123456789123",\#
    "aliases":["$RCAnonymousID:12345678-1234-1234-1234-123456789123"],\#
    "original_app_user_id":"$RCAnonymousID:12345678-1234-1234-1234-123456789123",\#
    "currency":"USD","price":0,"price_in_purchased_currency":0,\#
    "new_product_id":"com.revenuecat.myapp.yearly","subscriber_attributes":{},\#
    "store":"PLAY_STORE","takehome_percentage":0.7,"tax_percentage":0.0,\#
    "commission_percentage":0.3,"type":"PRODUCT_CHANGE",\#
    "id":"12345678-1234-1234-1234-12345678912"},"api_version":"1.0"}
    """#

  static let trialStarted = #"""
    {"event":{"event_timestamp_ms":1658726366696,"product_id":"com.subscription.yearly",\#
    "period_type":"TRIAL","purchased_at_ms":1658726358573,"expiration_at_ms":1658992117958,\#
    "environment":"PRODUCTION","transaction_id":"123456789012345",\#
    "original_transaction_id":"123456789012345","is_family_share":false,"country_code":"PH",\#
    "app_user_id":"1234567890",\#
    "aliases":["$RCAnonymousID:8069238d6049ce87cc529853916d624c"],\#
    "original_app_user_id":"$RCAnonymousID:87c6049c58069238dce29853916d624c",\#
    "currency":"PHP","price":0,"price_in_purchased_currency":0,\#
    "subscriber_attributes":{"$email":{"updated_at_ms":1662955084635,\#
    "value":"a@example.com"}},"store":"PLAY_STORE","takehome_percentage":0.85,\#
    "tax_percentage":0.0,"commission_percentage":0.15,"type":"INITIAL_PURCHASE",\#
    "id":"12345678-1234-1234-1234-123456789012","app_id":"1234567890"},"api_version":"1.0"}
    """#

  static let trialCancelled = #"""
    {"event":{"event_timestamp_ms":1658726482659,"product_id":"com.subscription.weekly",\#
    "period_type":"TRIAL","purchased_at_ms":1658725349000,"expiration_at_ms":1658984549000,\#
    "environment":"PRODUCTION","transaction_id":"123456789012345",\#
    "original_transaction_id":"123456789012345","is_family_share":false,"country_code":"CN",\#
    "app_user_id":"1234567890",\#
    "aliases":["$RCAnonymousID:8069238d6049ce87cc529853916d624c"],\#
    "original_app_user_id":"$RCAnonymousID:87c6049c58069238dce29853916d624c",\#
    "currency":"CNY","price":0.0,"price_in_purchased_currency":0.0,\#
    "cancel_reason":"UNSUBSCRIBE",\#
    "subscriber_attributes":{"$email":{"updated_at_ms":1662955084635,\#
    "value":"a@example.com"}},"store":"APP_STORE","takehome_percentage":0.7,\#
    "tax_percentage":0.0,"commission_percentage":0.3,"type":"CANCELLATION",\#
    "id":"12345678-1234-1234-1234-123456789012","app_id":"1234567890"},"api_version":"1.0"}
    """#

  static let expiration = #"""
    {"event":{"event_timestamp_ms":1697451462232,"product_id":"com.subscription.weekly",\#
    "period_type":"NORMAL","purchased_at_ms":1696846623000,"expiration_at_ms":1697451423000,\#
    "environment":"PRODUCTION","transaction_id":"123456789012345",\#
    "original_transaction_id":"123456789012345","is_family_share":false,"country_code":"US",\#
    "app_user_id":"1234567890",\#
    "aliases":["$RCAnonymousID:8069238d6049ce87cc529853916d624c"],\#
    "original_app_user_id":"$RCAnonymousID:8069238d6049ce87cc529853916d624c",\#
    "currency":"USD","price":0.0,"price_in_purchased_currency":0.0,\#
    "expiration_reason":"UNSUBSCRIBE",\#
    "subscriber_attributes":{"$email":{"updated_at_ms":1662955084635,\#
    "value":"a@example.com"}},"store":"APP_STORE","takehome_percentage":0.7,\#
    "tax_percentage":0.012,"commission_percentage":0.3,"type":"EXPIRATION",\#
    "id":"12345678-1234-1234-1234-123456789012","app_id":"1234567890"},"api_version":"1.0"}
    """#

  static let subscriptionExtended = #"""
    {"event":{"event_timestamp_ms":1697451462232,"product_id":"com.subscription.weekly",\#
    "period_type":"NORMAL","purchased_at_ms":1696846623000,"expiration_at_ms":1697451423000,\#
    "environment":"PRODUCTION","transaction_id":"123456789012345",\#
    "original_transaction_id":"123456789012345","is_family_share":false,"country_code":"US",\#
    "app_user_id":"1234567890",\#
    "aliases":["$RCAnonymousID:8069238d6049ce87cc529853916d624c"],\#
    "original_app_user_id":"$RCAnonymousID:8069238d6049ce87cc529853916d624c",\#
    "currency":"USD","price":0.0,"price_in_purchased_currency":0.0,\#
    "subscriber_attributes":{"$email":{"updated_at_ms":1662955084635,\#
    "value":"a@example.com"}},"store":"APP_STORE","takehome_percentage":0.7,\#
    "tax_percentage":0.012,"commission_percentage":0.3,"type":"SUBSCRIPTION_EXTENDED",\#
    "id":"12345678-1234-1234-1234-123456789012","app_id":"1234567890"},"api_version":"1.0"}
    """#

  static let refundReversed = #"""
    {"event":{"event_timestamp_ms":1697451462232,"product_id":"com.subscription.weekly",\#
    "period_type":"NORMAL","purchased_at_ms":1696846623000,"expiration_at_ms":1697451423000,\#
    "environment":"PRODUCTION","transaction_id":"123456789012345",\#
    "original_transaction_id":"123456789012345","is_family_share":false,"country_code":"US",\#
    "app_user_id":"1234567890",\#
    "aliases":["$RCAnonymousID:8069238d6049ce87cc529853916d624c"],\#
    "original_app_user_id":"1234567890","currency":"USD","price":5.0,\#
    "price_in_purchased_currency":5.0,\#
    "subscriber_attributes":{"$email":{"updated_at_ms":1662955084635,\#
    "value":"a@example.com"}},"store":"APP_STORE","takehome_percentage":0.7,\#
    "tax_percentage":0.012,"commission_percentage":0.3,"renewal_number":3,\#
    "type":"REFUND_REVERSED","id":"12345678-1234-1234-1234-123456789012",\#
    "app_id":"1234567890"},"api_version":"1.0"}
    """#

  static let temporaryGrant = #"""
    {"event":{"event_timestamp_ms":1744824815307,"app_user_id":"41234567890",\#
    "store":"APP_STORE","type":"TEMPORARY_ENTITLEMENT_GRANT",\#
    "id":"12345678-1234-1234-1234-123456789012","app_id":"1234567890"},"api_version":"1.0"}
    """#

  static let virtualCurrency = #"""
    {"event":{"event_timestamp_ms":1658726378679,"product_id":"1M_100credits",\#
    "transaction_id":"123456789012345","country_code":"US","app_user_id":"1234567890",\#
    "aliases":["$RCAnonymousID:8069238d6049ce87cc529853916d624c"],\#
    "subscriber_attributes":{"$email":{"updated_at_ms":1662955084635,\#
    "value":"a@example.com"}},"store":"APP_STORE","type":"VIRTUAL_CURRENCY_TRANSACTION",\#
    "id":"12345678-1234-1234-1234-123456789012","app_id":"1234567890"},"api_version":"1.0"}
    """#
}
