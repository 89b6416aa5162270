#!/usr/bin/env bash
# Tcl's SQLite stores 2.1 for the app version 2.10 once a script has looked whether it is a number.
#
# Expected: a Tcl variable holds a text, and a column of texts gets that text, whatever the script
# has asked about the variable before.
# Seen: the sqlite3 package of Tcl asks what the value was last used as. After a question that
# leaves the text alone, such as [string is double $v], $v > 2, [lsort -real] or [format %.1f], the
# version 2.10 goes to SQLite as the number 2.1, the code 007 as 7, 010 as 8 (octal), 0x10 as 16,
# +49 as 49 and 1e5 as 100000.0, and a TEXT column stores the text of that number. In a condition
# 2.10 finds the 2.1s. Tcl itself still shows 2.10. TDBC's driver, which is built on it, does the
# same, and so does CAST($v AS TEXT). The questions eq and switch leave the text a text, and a copy
# made by [string range "$v." 0 end-1] is one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(
  cd "$folder"
  apt-get download -qq -o APT::Sandbox::User=root libsqlite3-tcl=3.40.1-2+deb12u2 \
    libsqlite3-0=3.40.1-2+deb12u2 tcl8.6=8.6.13+dfsg-2 libtcl8.6=8.6.13+dfsg-2 \
    tcl8.6-tdbc=1.1.5-1 tcl8.6-tdbc-sqlite3=1.1.5-1
  for package in *.deb; do dpkg-deb --extract "$package" root; done
)
cat >"$folder/try.tcl" <<'TCL'
package require sqlite3
package require tdbc::sqlite3
puts "Tcl [info patchlevel], sqlite3 [sqlite3 -version]"
sqlite3 database :memory:
database eval {CREATE TABLE users (value TEXT, any)}

proc fresh {text} {
    string range "$text." 0 end-1
}
proc show {name value} {
    database eval {DELETE FROM users; INSERT INTO users VALUES ($value, $value)}
    puts "$name: [database eval {SELECT value, any, typeof(any) FROM users}], Tcl has $value"
}

set v [fresh 2.10]
show "untouched" $v
set v [fresh 2.10]
string is double -strict $v
show "string is double" $v
set v [fresh 2.10]
expr {$v > 2}
show "\$v > 2" $v
set v [fresh 2.10]
expr {$v eq "2.10"}
show "\$v eq \"2.10\"" $v
set v [fresh 2.10]
format %.1f $v
show "format" $v
show "lsort -real" [lindex [lsort -real [list [fresh 2.10]]] 0]
foreach text {007 010 0x10 +49 1e5 5.0 2026 1_000} {
    set v [fresh $text]
    string is double -strict $v
    show "$text checked" $v
}
database eval {DELETE FROM users; INSERT INTO users VALUES ('2.1', 1), ('2.10', 2), ('2.9', 3)}
set v [fresh 2.10]
puts "rows of 2.10: [database eval {SELECT value FROM users WHERE value = $v}]"
string is double -strict $v
puts "rows of 2.10, checked: [database eval {SELECT value FROM users WHERE value = $v}]"
puts "as CAST: [database eval {SELECT CAST($v AS TEXT)}]"
tdbc::sqlite3::connection create tdbc :memory:
puts "TDBC: [lindex [tdbc allrows -as lists {SELECT :v AS v}] 0]"
set v [fresh $v]
puts "as a new text: [database eval {SELECT CAST($v AS TEXT)}]"
TCL
root=$folder/root
LD_LIBRARY_PATH=$(echo "$root"/usr/lib/*-linux-gnu) TCL_LIBRARY=$root/usr/share/tcltk/tcl8.6 \
  TCLLIBPATH="$root/usr/lib/tcltk" TCL8_6_TM_PATH=$root/usr/share/tcltk/tcl8/8.6 \
  "$root/usr/bin/tclsh8.6" "$folder/try.tcl" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
Tcl 8.6.13, sqlite3 3.40.1
untouched: 2.10 2.10 text, Tcl has 2.10
string is double: 2.1 2.1 real, Tcl has 2.10
$v > 2: 2.1 2.1 real, Tcl has 2.10
$v eq "2.10": 2.10 2.10 text, Tcl has 2.10
format: 2.1 2.1 real, Tcl has 2.10
lsort -real: 2.1 2.1 real, Tcl has 2.10
007 checked: 7 7 integer, Tcl has 007
010 checked: 8 8 integer, Tcl has 010
0x10 checked: 16 16 integer, Tcl has 0x10
+49 checked: 49 49 integer, Tcl has +49
1e5 checked: 100000.0 100000.0 real, Tcl has 1e5
5.0 checked: 5.0 5.0 real, Tcl has 5.0
2026 checked: 2026 2026 integer, Tcl has 2026
1_000 checked: 1_000 1_000 text, Tcl has 1_000
rows of 2.10: 2.10
rows of 2.10, checked: 2.1
as CAST: 2.1
TDBC: 2.1
as a new text: 2.10
EXPECTED
