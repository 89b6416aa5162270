"""Writes the facts of ledger.py in the forms of docs/purchases.md: RevenueCat's events and exports, Apple's reports and
signed notifications."""
import base64
import collections
import csv
import datetime
import gzip
import hashlib
import io
import json
import uuid

from ledger import COMMISSION, COUNTRIES, DIGITS, PAYMENTS, PRODUCTS

EVENTS = {
    "start": "INITIAL_PURCHASE", "trial_start": "INITIAL_PURCHASE", "trial_conversion": "RENEWAL", "renewal": "RENEWAL",
    "recovery": "RENEWAL", "one_time": "NON_RENEWING_PURCHASE", "refund": "CANCELLATION",
    "partial_refund": "CANCELLATION", "cancellation": "CANCELLATION", "billing_issue": "BILLING_ISSUE",
    "expiry": "EXPIRATION"}


def milliseconds(at):
    return None if at is None else int(at.timestamp() * 1000)


def decimal(amount, currency):
    """The number as JSON has it: RevenueCat sends doubles."""
    return amount / 10 ** DIGITS[currency]


def ids(row):
    """RevenueCat's ids of a person: a person that the app does not name has one of RevenueCat's own."""
    hidden = "$RCAnonymousID:" + hashlib.md5(row.subscription.encode()).hexdigest()
    return row.person or hidden, hidden


def event(row):
    """The `event` of a webhook, with the members of RevenueCat's samples."""
    person, hidden = ids(row)
    name = "|".join((row.transaction, row.kind, str(row.at)))
    found = {
        "event_timestamp_ms": milliseconds(row.at), "product_id": row.product,
        "period_type": "TRIAL" if row.kind == "trial_start" else "NORMAL",
        "purchased_at_ms": milliseconds(row.term_at), "expiration_at_ms": milliseconds(row.until),
        "environment": "SANDBOX" if row.sandbox else "PRODUCTION", "entitlement_id": None, "entitlement_ids": ["pro"],
        "presented_offering_id": None, "transaction_id": row.transaction, "original_transaction_id": row.subscription,
        "is_family_share": False, "country_code": row.country, "app_user_id": person, "aliases": [hidden, person],
        "original_app_user_id": hidden, "currency": row.currency,
        "price": 0.0 if row.price is None else round(decimal(row.price, row.currency) * 1.1, 3),
        "price_in_purchased_currency": 0.0 if row.price is None else decimal(row.price, row.currency),
        "subscriber_attributes": {"$email": {"updated_at_ms": 1662955084635, "value": "first@example.com"}},
        "store": "APP_STORE", "takehome_percentage": 0.7, "tax_percentage": COUNTRIES[row.country][2],
        "commission_percentage": COMMISSION, "offer_code": None, "type": EVENTS[row.kind],
        "id": str(uuid.UUID(bytes=hashlib.md5(name.encode()).digest())).upper(), "app_id": "app1"}
    if row.kind in ("trial_conversion", "renewal", "recovery"):
        found["is_trial_conversion"] = row.kind == "trial_conversion"
    if row.kind in ("refund", "partial_refund"):
        found["cancel_reason"] = "CUSTOMER_SUPPORT"
    if row.kind == "cancellation":
        found["cancel_reason"] = "UNSUBSCRIBE"
    if row.kind == "billing_issue":
        found["expiration_at_ms"] = milliseconds(row.until if row.grace is None else None)
        found["grace_period_expiration_at_ms"] = milliseconds(row.grace)
    if row.kind == "expiry":
        found["event_timestamp_ms"] += 60_000
        found["expiration_reason"] = "UNSUBSCRIBE"
    return found


def lines(rows):
    """Webhook bodies, one a line, with events that are nobody's money among them."""
    found = [json.dumps({"api_version": "1.0", "event": event(row)}, separators=(",", ":")) for row in rows]
    found[1:1] = [json.dumps({"api_version": "1.0", "event": {"type": "TEST", "id": "t", "event_timestamp_ms": 1}}),
                  json.dumps({"api_version": "1.0", "event": {"type": "EXPERIMENT_ENROLLMENT", "id": "e"}})]
    return "\n".join(found) + "\n"


def clock(at):
    return "" if at is None else at.strftime("%Y-%m-%d %H:%M:%S")


def export(rows):
    """RevenueCat's scheduled export: a row a transaction, as it is at the end."""
    columns = ("rc_original_app_user_id,rc_last_seen_app_user_id_alias,country,product_identifier,start_time,end_time,"
               "grace_period_end_time,effective_end_time,store,is_auto_renewable,is_trial_period,"
               "is_in_intro_offer_period,is_sandbox,price_in_usd,purchase_price_in_usd,takehome_percentage,"
               "tax_percentage,commission_percentage,store_transaction_id,original_store_transaction_id,refunded_at,"
               "unsubscribe_detected_at,billing_issues_detected_at,purchased_currency,price_in_purchased_currency,"
               "purchase_price_in_purchased_currency,renewal_number,is_trial_conversion,ownership_type,"
               "custom_subscriber_attributes,updated_at").split(",")
    more = collections.defaultdict(dict)
    for row in rows:
        if row.kind not in PAYMENTS:
            more[row.transaction][row.kind.replace("partial_", "")] = row
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, restval="", lineterminator="\n")
    writer.writeheader()
    numbers = collections.Counter()
    for row in rows:
        if row.kind not in PAYMENTS:
            continue
        numbers[row.subscription] += 1
        person, hidden = ids(row)
        became = more[row.transaction]
        refund = became.get("refund")
        left = row.price + (refund.price if refund else 0)
        issue = became.get("billing_issue")
        writer.writerow({
            "rc_original_app_user_id": hidden, "rc_last_seen_app_user_id_alias": person, "country": row.country,
            "product_identifier": row.product, "start_time": clock(row.at), "end_time": clock(row.until),
            "grace_period_end_time": clock(issue.grace if issue else None), "effective_end_time": clock(row.until),
            "store": "app_store", "is_auto_renewable": str(row.until is not None).lower(),
            "is_trial_period": str(row.kind == "trial_start").lower(), "is_sandbox": str(row.sandbox).lower(),
            "is_in_intro_offer_period": "false", "tax_percentage": COUNTRIES[row.country][2],
            "commission_percentage": COMMISSION, "takehome_percentage": 0.7, "store_transaction_id": row.transaction,
            "original_store_transaction_id": row.subscription, "refunded_at": clock(refund and refund.at),
            "unsubscribe_detected_at": clock("cancellation" in became and became["cancellation"].at or None),
            "billing_issues_detected_at": clock(issue and issue.at), "purchased_currency": row.currency,
            "price_in_purchased_currency": decimal(left, row.currency),
            "purchase_price_in_purchased_currency": decimal(row.price, row.currency),
            "renewal_number": numbers[row.subscription],
            "is_trial_conversion": str(row.kind == "trial_conversion").lower(), "ownership_type": "PURCHASED",
            # A text with all that CSV quotes.
            "custom_subscriber_attributes": '{"said": {"value": "a, ""b""\nc"}}' if row.first else "",
            "updated_at": clock(max([row.at] + [one.at for one in became.values()]))})
    return out.getvalue()


# Apple's reports.

SUBSCRIBER = ("Event Date\tApp Name\tApp Apple ID\tSubscription Name\tSubscription Apple ID\tSubscription Group ID\t"
              "Standard Subscription Duration\tSubscription Offer Name\tPromotional Offer ID\tSubscription Offer Type\t"
              "Subscription Offer Duration\tMarketing Opt-In Duration\tCustomer Price\tCustomer Currency\t"
              "Developer Proceeds\tProceeds Currency\tPreserved Pricing\tProceeds Reason\tClient\tDevice\tCountry\t"
              "Subscriber ID\tSubscriber ID Reset\tRefund\tPurchase Date\tUnits").split("\t")
EVENT = ("Event Date\tEvent\tApp Name\tApp Apple ID\tSubscription Name\tSubscription Apple ID\tSubscription Group ID\t"
         "Standard Subscription Duration\tSubscription Offer Type\tSubscription Offer Duration\tMarketing Opt-In\t"
         "Marketing Opt-In Duration\tPreserved Pricing\tProceeds Reason\tSubscription Offer Name\tPromotional Offer ID\t"
         "Consecutive Paid Periods\tOriginal Start Date\tDevice\tClient\tState\tCountry\tPrevious Subscription Name\t"
         "Previous Subscription Apple ID\tDays Before Canceling\tCancellation Reason\tDays Canceled\tQuantity\t"
         "Paid Service Days Recovered").split("\t")
SALES = ("Provider\tProvider Country\tSKU\tDeveloper\tTitle\tVersion\tProduct Type Identifier\tUnits\t"
         "Developer Proceeds\tBegin Date\tEnd Date\tCustomer Currency\tCountry Code\tCurrency of Proceeds\t"
         "Apple Identifier\tCustomer Price\tPromo Code\tParent Identifier\tSubscription\tPeriod\tCategory\tCMB\tDevice\t"
         "Supported Platforms\tProceeds Reason\tPreserved Pricing\tClient\tOrder Type").split("\t")
APPLE_EVENTS = {"start": "Subscribe", "trial_start": "Start Introductory Offer", "renewal": "Renew",
                "trial_conversion": "Paid Subscription from Introductory Offer", "cancellation": "Cancel",
                "recovery": "Renewal from Billing Retry", "refund": "Refund",
                "billing_issue": "Billing Retry from Paid Subscription"}


def number(amount, currency):
    return f"{decimal(amount, currency):.{DIGITS[currency]}f}"


def proceeds(row):
    """What Apple pays for one unit: 70 % after tax, rounded to its cents."""
    return round(abs(row.price) * (1 - COUNTRIES[row.country][2]) * 0.7)


def table(columns, rows):
    return "\t".join(columns) + "\n" + "".join(
        "\t".join(str(row.get(name, "")) for name in columns) + "\n" for row in rows)


def reports(rows):
    """Apple's files by name: one of each kind a month, of the App Store's days. Tests are not in them."""
    rows = [row for row in rows if not row.sandbox]
    files = {}
    months = sorted({row.at.strftime("%Y-%m") for row in rows})
    for month in months:
        of_month = [row for row in rows if row.at.strftime("%Y-%m") == month]
        subscriber, sales, events = [], collections.Counter(), collections.Counter()
        for row in of_month:
            if row.kind in APPLE_EVENTS and row.product in PRODUCTS:
                events[(str(row.at.date()), APPLE_EVENTS[row.kind], row.product, row.country,
                        "Free Trial" if row.kind == "trial_start" else "")] += 1
            if row.price is None or row.kind == "partial_refund":
                continue
            back = row.kind == "refund"
            if row.product in PRODUCTS:
                subscriber.append({
                    "Event Date": row.at.date(), "App Name": "Example", "App Apple ID": 1234567890,
                    "Subscription Name": row.product, "Customer Currency": row.currency,
                    "Customer Price": number(row.price, row.currency), "Proceeds Currency": row.currency,
                    "Subscription Offer Type": "Free Trial" if row.kind == "trial_start" else "",
                    "Developer Proceeds": ("-" if back else "") + number(proceeds(row), row.currency),
                    "Country": row.country, "Subscriber ID": 10 ** 9 + int(row.subscription) % 10 ** 8,
                    "Refund": "Yes" if back else "", "Device": "iPhone",
                    "Purchase Date": row.term_at.date() if back else "", "Units": 1})
            if row.price:
                kind = "" if row.until is None else "New" if row.kind in ("start", "trial_conversion") else "Renewal"
                sales[(row.at.strftime("%m/%d/%Y"), row.product, "" if back else kind, row.country, row.currency,
                       number(row.price, row.currency), number(proceeds(row), row.currency), back)] += 1
        if subscriber:
            files[f"Subscriber_80000001_{month.replace('-', '')}01.txt"] = table(SUBSCRIBER, subscriber)
        if events:
            files[f"Subscription_Event_80000001_{month.replace('-', '')}01.txt"] = table(EVENT, [
                {"Event Date": day, "Event": name, "App Name": "Example", "Subscription Name": product,
                 "Country": country, "Subscription Offer Type": offer, "Quantity": count, "Device": "iPhone"}
                for (day, name, product, country, offer), count in sorted(events.items())])
        if sales:
            free = [{"Provider": "APPLE", "SKU": "app", "Title": "Example", "Product Type Identifier": "1F", "Units": 9,
                     "Developer Proceeds": "0", "Begin Date": f"{month[5:]}/01/{month[:4]}",
                     "End Date": f"{month[5:]}/01/{month[:4]}", "Customer Currency": "USD", "Country Code": "US",
                     "Currency of Proceeds": "USD", "Customer Price": "0", "Apple Identifier": 1}]
            files[f"S_D_80000001_{month.replace('-', '')}01.txt"] = table(SALES, free + [
                {"Provider": "APPLE", "Provider Country": "US", "SKU": product, "Title": product,
                 "Product Type Identifier": "IAY" if product in PRODUCTS else "IA1", "Units": -count if back else count,
                 "Developer Proceeds": paid, "Begin Date": day, "End Date": day, "Customer Currency": currency,
                 "Country Code": country, "Currency of Proceeds": currency, "Customer Price": price,
                 "Apple Identifier": 2, "Subscription": kind}
                for (day, product, kind, country, currency, price, paid, back), count in sorted(sales.items())])
    return files


# App Store Server Notifications V2.

NOTIFICATIONS = {
    "start": ("SUBSCRIBED", "INITIAL_BUY"), "trial_start": ("SUBSCRIBED", "INITIAL_BUY"),
    "trial_conversion": ("DID_RENEW", None), "renewal": ("DID_RENEW", None), "recovery": ("DID_RENEW", "BILLING_RECOVERY"),
    "one_time": ("ONE_TIME_CHARGE", None), "refund": ("REFUND", None), "partial_refund": ("REFUND", None),
    "cancellation": ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED"), "billing_issue": ("DID_FAIL_TO_RENEW", None),
    "expiry": ("EXPIRED", "VOLUNTARY")}
BUNDLE = "com.example.app"


class Signer:
    """Signs as Apple does, by a root of our own."""

    def __init__(self, marks=(None, "1.2.840.113635.100.6.2.1", "1.2.840.113635.100.6.11.1"), like=None):
        """`like` is another signer, whose root signs this one's certificates."""
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.x509.oid import NameOID, ObjectIdentifier
        self.ec, self.hashes = ec, hashes
        begin = datetime.datetime(2025, 1, 1, tzinfo=datetime.timezone.utc)
        keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(3)]
        if like:
            keys[0] = like.root_key
        names = [x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)]) for text in ("Root", "Middle", "Leaf")]
        certificates = []
        for place in range(3):
            if like and not place:
                certificates.append(like.root_certificate)
                continue
            issuer = max(0, place - 1)
            builder = (
                x509.CertificateBuilder().subject_name(names[place]).issuer_name(names[issuer])
                .public_key(keys[place].public_key()).serial_number(place + 1).not_valid_before(begin)
                .not_valid_after(begin + datetime.timedelta(days=3650))
                .add_extension(x509.BasicConstraints(place < 2, None), True)
                .add_extension(x509.SubjectKeyIdentifier.from_public_key(keys[place].public_key()), False)
                .add_extension(
                    x509.AuthorityKeyIdentifier.from_issuer_public_key(keys[issuer].public_key()), False))
            usage = dict.fromkeys(("digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
                                   "key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only"), False)
            usage |= {"digital_signature": True} if place == 2 else {"key_cert_sign": True, "crl_sign": True}
            builder = builder.add_extension(x509.KeyUsage(**usage), True)
            if marks[place]:
                builder = builder.add_extension(
                    x509.UnrecognizedExtension(ObjectIdentifier(marks[place]), b"\x05\x00"), False)
            certificates.append(builder.sign(keys[issuer], hashes.SHA256()))
        self.key, self.root_key, self.root_certificate = keys[2], keys[0], certificates[0]
        ders = [one.public_bytes(serialization.Encoding.DER) for one in certificates]
        self.root = ders[0]
        self.chain = [base64.b64encode(one).decode() for one in reversed(ders)]
        self.header = self.header_of("ES256", 3)

    def header_of(self, algorithm, count):
        return self.text(json.dumps({"alg": algorithm, "x5c": self.chain[:count]}, separators=(",", ":")).encode())

    def changed(self, row, alg="ES256", count=3):
        """A notification under another header."""
        own, self.header = self.header, self.header_of(alg, count)
        try:
            return self.signed(row)
        finally:
            self.header = own

    def signed(self, row, at=None):
        return json.loads(self.notification(row, at))["signedPayload"]

    def key_pem(self):
        from cryptography.hazmat.primitives import serialization
        return self.key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                                      serialization.NoEncryption())

    @staticmethod
    def text(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    def sign(self, payload):
        from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
        signed = self.header + "." + self.text(json.dumps(payload, separators=(",", ":")).encode())
        r, s = decode_dss_signature(self.key.sign(signed.encode(), self.ec.ECDSA(self.hashes.SHA256())))
        return signed + "." + self.text(r.to_bytes(32, "big") + s.to_bytes(32, "big"))

    def notification(self, row, signed_at=None):
        kind, subtype = NOTIFICATIONS[row.kind]
        if row.returned:
            kind, subtype = "SUBSCRIBED", "RESUBSCRIBE"
        if row.grace:
            subtype = "GRACE_PERIOD"
        environment = "Sandbox" if row.sandbox else "Production"
        at = milliseconds(row.at)
        price = row.price
        if row.kind == "partial_refund":
            price = PRODUCTS[row.product][3][row.currency]
        transaction = {
            "transactionId": row.transaction, "originalTransactionId": row.subscription, "bundleId": BUNDLE,
            "productId": row.product, "purchaseDate": milliseconds(row.term_at),
            "originalPurchaseDate": milliseconds(row.term_at), "quantity": 1,
            "type": "Auto-Renewable Subscription" if row.product in PRODUCTS else "Consumable",
            "inAppOwnershipType": "PURCHASED", "signedDate": at, "environment": environment,
            "transactionReason": "PURCHASE" if row.first else "RENEWAL", "storefront": COUNTRIES[row.country][1],
            "storefrontId": "143441", "currency": row.currency,
            "price": abs(price or 0) * 1000 // 10 ** DIGITS[row.currency]}
        if row.product in PRODUCTS:
            ends = row.until if row.kind != "billing_issue" else None
            if ends is None:
                from ledger import after
                ends = after(row.term_at, row.product)
            transaction["expiresDate"] = milliseconds(ends)
        if row.person:
            transaction["appAccountToken"] = row.person
        if row.kind == "trial_start":
            transaction |= {"offerType": 1, "offerDiscountType": "FREE_TRIAL", "offerPeriod": "P1W"}
        if row.kind in ("refund", "partial_refund"):
            transaction |= {"revocationDate": at, "revocationReason": 0}
        if row.kind == "partial_refund":
            transaction |= {"revocationType": "REFUND_PRORATED", "revocationPercentage": 40_000}
        data = {"appAppleId": 1234567890, "bundleId": BUNDLE, "bundleVersion": "1", "environment": environment,
                "signedTransactionInfo": self.sign(transaction)}
        if row.product in PRODUCTS:
            renewal = {"originalTransactionId": row.subscription, "autoRenewProductId": row.product,
                       "productId": row.product, "autoRenewStatus": 1, "signedDate": at, "environment": environment}
            if row.grace:
                renewal["gracePeriodExpiresDate"] = milliseconds(row.grace)
            data["signedRenewalInfo"] = self.sign(renewal)
        name = "|".join((row.transaction, row.kind, str(row.at)))
        payload = {"notificationType": kind, "notificationUUID": str(uuid.UUID(bytes=hashlib.md5(name.encode()).digest())),
                   "data": data, "version": "2.0", "signedDate": signed_at or at}
        if subtype:
            payload["subtype"] = subtype
        return json.dumps({"signedPayload": self.sign(payload)})

    def notifications(self, rows):
        test = {"notificationType": "TEST", "notificationUUID": str(uuid.UUID(int=1)), "version": "2.0", "signedDate": milliseconds(rows[0].at),
                "data": {"bundleId": BUNDLE, "environment": "Production", "appAppleId": 1234567890}}
        return "\n".join([json.dumps({"signedPayload": self.sign(test)})] + [self.notification(row) for row in rows]) + "\n"


def is_signed(token, key):
    """Whether a token (JWT) is signed by a key, for App Store Connect."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
    parts = token.split(".")
    header, claims, signature = (base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in parts)
    numbers = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    try:
        key.verify(encode_dss_signature(*numbers), ".".join(parts[:2]).encode(), ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return False
    claims = json.loads(claims)
    return (json.loads(header) == {"alg": "ES256", "kid": "K1", "typ": "JWT"} and claims["iss"] == "i-2"
            and claims["aud"] == "appstoreconnect-v1" and 0 < claims["exp"] - claims["iat"] <= 1200)


def packed(text):
    return gzip.compress(text.encode(), mtime=0)
