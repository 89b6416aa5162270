#!/usr/bin/env bash
# Prints the licences of the program and of everything that is linked into it, for the package's
# copyright file. Wants the checkouts of a build.
set -euo pipefail
cd "$(dirname "$0")/../.."
swift=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")

printf 'Firetally\n=========\n\n'
cat LICENSE
for package in .build/checkouts/*/; do
  name=$(basename "$package")
  printf '\n\n%s\n%s\n\n' "$name" "${name//?/=}"
  found=
  while IFS= read -r file; do
    found=1
    # One copy of the Apache licence is enough: the first of them is whole.
    if [[ $file == *LICENSE* ]] && grep -q 'Apache License' "$file"; then
      grep -v '^ *$' "$file" | grep -iE '^ *Copyright [0-9(]|Exception' || true
      echo 'Apache License, Version 2.0, which stands at the end of this file.'
    else
      cat "$file"
    fi
  done < <(find "$package" -maxdepth 4 -type f \( -iname 'LICENSE*' -o -iname 'NOTICE*' \) \
    -not -path '*/Tests/*' -not -path '*/Examples/*' | sort)
  [ -n "$found" ] || { echo "no licence found in $package" >&2; exit 1; }
done
# Debian's ICU is under the same licence as the one inside Foundation.
printf '\n\nICU, inside Foundation\n======================\n\n'
cat /usr/share/doc/libicu-dev/copyright
printf '\n\nSwift and Foundation\n====================\n\n'
cat "$swift/share/swift/LICENSE.txt"
