#!/usr/bin/env bash
# user-agents takes every phone whose Android app sends Android's own user agent for a tablet.
#
# Expected: requests of an app on a Pixel 8 are those of a phone, on a Galaxy Tab those of a tablet,
# and the version of iOS is that of the device.
# Seen: HttpURLConnection on Android sends Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 ...), and
# is_tablet is true and is_mobile false for all of them, phones and tablets, since "Mobile Safari"
# is not there; a web view on the same phone is a phone. A request of okhttp or Dart is none of
# phone, tablet, computer and bot, so the shares do not add up to 1. ua-parser below it reads the
# version of Firebase Auth's SDK as that of iOS, and gives the app on a Mac the iOS of the same
# kernel. device-detector tells the two devices apart, and reads iOS 17.4.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check user-agents==2.2.0 \
  ua-parser==1.0.2 ua-parser-builtins==202610 device-detector==6.5.1
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata

import user_agents
from device_detector import DeviceDetector

for package in ("user-agents", "ua-parser", "ua-parser-builtins", "device-detector"):
    print(package, importlib.metadata.version(package))
KINDS = ("mobile", "tablet", "pc", "bot")
SYSTEM = "AppleWebKit/537.36 (KHTML, like Gecko)"
AGENTS = {
    "app on a Pixel 8": "Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UQ1A.240205.002)",
    "app on a Galaxy S23": "Dalvik/2.1.0 (Linux; U; Android 13; SM-S911B Build/TP1A.220624.014)",
    "app on a Galaxy Tab": "Dalvik/2.1.0 (Linux; U; Android 13; SM-X210 Build/TP1A.220624.014)",
    "web view on a Pixel 8": "Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A.240205.002; wv) "
    f"{SYSTEM} Version/4.0 Chrome/121.0.6167.178 Mobile Safari/537.36",
    "okhttp": "okhttp/4.12.0",
    "Dart": "Dart/3.3 (dart:io)",
    "app on iOS 17.4": "Example/42 CFNetwork/1494.0.7 Darwin/23.4.0",
    "app on macOS 14.4": "Example/42 CFNetwork/1494.0.7 Darwin/23.4.0 (x86_64)",
    "Firebase Auth on iOS 17.4": "FirebaseAuth.iOS/10.22.0 com.example.app/1.2.3 iPhone/17.4 "
    "hw/iPhone14_5",
}
for name, text in AGENTS.items():
    agent = user_agents.parse(text)
    kind = [kind for kind in KINDS if getattr(agent, f"is_{kind}")] or ["none"]
    other = DeviceDetector(text).parse()
    system = f"{agent.os.family} {agent.os.version_string}".strip()
    print(f"{name}: {', '.join(kind)}; {system}", end=" | ")
    print(f"{other.device_type() or 'none'}; {other.os_name()} {other.os_version()}".strip())
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
user-agents 2.2.0
ua-parser 1.0.2
ua-parser-builtins 202610
device-detector 6.5.1
app on a Pixel 8: tablet; Android 14 | smartphone; Android 14
app on a Galaxy S23: tablet; Android 13 | smartphone; Android 13
app on a Galaxy Tab: tablet; Android 13 | tablet; Android 13
web view on a Pixel 8: mobile; Android 14 | smartphone; Android 14
okhttp: none; Other | none; Android
Dart: none; Other | none;
app on iOS 17.4: mobile; iOS 17.4 | smartphone; iOS 17.4
app on macOS 14.4: none; iOS 17.4 | desktop; Mac 14.4
Firebase Auth on iOS 17.4: mobile; iOS 10.22.0 | phablet; iOS 17.4
EXPECTED
