#!/usr/bin/env bash
# PyYAML and ruamel.yaml read a character that JSON writes as two escapes as two halves of one.
#
# Expected: JSON is YAML 1.2, so what json.dumps writes is read back as it was, by every loader.
# Seen: "\ud83d\ude00" becomes a text of two surrogates, which equals no text that has the
# character and which nothing can encode: the error comes later, from write() or print(). PyYAML's
# loader in C (libyaml) refuses the same file. Only json.dumps(..., ensure_ascii=False) is safe.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  pyyaml==6.0.4 ruamel.yaml==0.19.1
cat >"$folder/try.py" <<'PYTHON'
import importlib.metadata
import json

import ruamel.yaml
import yaml


def outcome(load, text):
    try:
        value = load(text)["mood"]
    except Exception as error:
        return "refused: " + type(error).__name__
    try:
        value.encode()
    except UnicodeEncodeError:
        return f"{len(value)} characters, which UTF-8 cannot hold"
    return f"{len(value)} character, equal" if value == "\U0001f600" else "another text"


for package in ("pyyaml", "ruamel.yaml"):
    print(package, importlib.metadata.version(package))
document = {"mood": "\U0001f600"}
loaders = {
    "json.loads": json.loads,
    "yaml.safe_load": yaml.safe_load,
    "yaml.CSafeLoader": lambda text: yaml.load(text, Loader=yaml.CSafeLoader),
    "ruamel.yaml.YAML()": lambda text: ruamel.yaml.YAML().load(text),
}
for ascii_only in (True, False):
    text = json.dumps(document, ensure_ascii=ascii_only)
    print(ascii(text))
    for name, load in loaders.items():
        print(f"  {name}: {outcome(load, text)}")
PYTHON
output=$("$folder/venv/bin/python" "$folder/try.py")
echo "$output"
diff <(echo "$output") - <<'EXPECTED'
pyyaml 6.0.4
ruamel.yaml 0.19.1
'{"mood": "\\ud83d\\ude00"}'
  json.loads: 1 character, equal
  yaml.safe_load: 2 characters, which UTF-8 cannot hold
  yaml.CSafeLoader: refused: ScannerError
  ruamel.yaml.YAML(): 2 characters, which UTF-8 cannot hold
'{"mood": "\U0001f600"}'
  json.loads: 1 character, equal
  yaml.safe_load: 1 character, equal
  yaml.CSafeLoader: 1 character, equal
  ruamel.yaml.YAML(): 1 character, equal
EXPECTED
