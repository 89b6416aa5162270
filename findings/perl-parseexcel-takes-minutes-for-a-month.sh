#!/usr/bin/env bash
# Perl's Spreadsheet::ParseExcel and ParseXLSX read a duration of 25:30 in [h]:mm as 25:01.
#
# Expected: value() gives a cell as the spreadsheet shows it, 25:30 in the format for more than 24
# hours, or at least not another duration.
# Seen: the formatter that both share takes mm for minutes when an h stands before it without
# brackets, or an s behind it. After [h] it is the month, which for each duration of less than a
# month is January of 1900: 25:30 is 25:01, 0:45 is 0:01, and 26 hours 59 minutes are 26:01. They
# look like durations, and a sum of a month of usage comes out with 1 minute for each. [h]:mm:ss is
# right. [hh]:mm drops the days, [01]:30, and [m]:ss the hours, [15]:00 for 75 minutes.
# unformatted() gives the number of days. Nothing warns.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(
  cd "$folder"
  apt-get download -qq -o APT::Sandbox::User=root \
    libspreadsheet-parsexlsx-perl=0.27-3+deb12u2 \
    libspreadsheet-parseexcel-perl=0.6500-4~deb12u1 libspreadsheet-writeexcel-perl=2.40-4 \
    libexcel-writer-xlsx-perl=1.10-1 libarchive-zip-perl=1.68-1 libcrypt-rc4-perl=2.02-5 \
    libcryptx-perl=0.077-1+b1 libdigest-perl-md5-perl=1.9-5 libgraphics-colorutils-perl=0.17-4 \
    libole-storage-lite-perl=0.20-2 libio-stringy-perl=2.111-3 libxml-parser-perl \
    libxml-twig-perl=1:3.52-2
  for package in *.deb; do dpkg-deb --extract "$package" root; done
)
cat >"$folder/try.pl" <<'PERL'
use strict;
use warnings;
use Excel::Writer::XLSX;
use Spreadsheet::ParseExcel;
use Spreadsheet::ParseXLSX;
use Spreadsheet::WriteExcel;

print "Spreadsheet::ParseExcel $Spreadsheet::ParseExcel::VERSION, ",
  "Spreadsheet::ParseXLSX $Spreadsheet::ParseXLSX::VERSION\n";
my @cells = (
    [25.5, "[h]:mm:ss"], [25.5, "[h]:mm"], [0.75, "[h]:mm"], [26 + 59 / 60, "[h]:mm"],
    [0.75, "h:mm"], [30.25, '[h] "h" mm "min"'], [25.5, "[hh]:mm"], [1.25, "[m]:ss"],
);
my $folder = shift;
my %read;
for my $kind ("xls", "xlsx") {
    my $file = "$folder/usage.$kind";
    my $writer = $kind eq "xls" ? "Spreadsheet::WriteExcel" : "Excel::Writer::XLSX";
    my $book = $writer->new($file);
    my $sheet = $book->add_worksheet;
    for my $row (0 .. $#cells) {
        my ($hours, $form) = @{ $cells[$row] };
        $sheet->write_number($row, 0, $hours / 24, $book->add_format(num_format => $form));
    }
    $book->close;
    my $parser = $kind eq "xls" ? Spreadsheet::ParseExcel->new : Spreadsheet::ParseXLSX->new;
    ($read{$kind}) = $parser->parse($file)->worksheets;
}
for my $row (0 .. $#cells) {
    my ($hours, $form) = @{ $cells[$row] };
    my ($old, $new) = map { $read{$_}->get_cell($row, 0) } "xls", "xlsx";
    printf "%s hours in %s: .xls %s, .xlsx %s, unformatted %.4f\n",
      sprintf("%.4g", $hours), $form, $old->value, $new->value, $new->unformatted;
}
PERL
root=$folder/root
perl -I "$root/usr/share/perl5" -I "$(echo "$root"/usr/lib/*-linux-gnu/perl5/5.36)" \
  "$folder/try.pl" "$folder" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
Spreadsheet::ParseExcel 0.65, Spreadsheet::ParseXLSX 0.27
25.5 hours in [h]:mm:ss: .xls 25:30:00, .xlsx 25:30:00, unformatted 1.0625
25.5 hours in [h]:mm: .xls 25:01, .xlsx 25:01, unformatted 1.0625
0.75 hours in [h]:mm: .xls 0:01, .xlsx 0:01, unformatted 0.0312
26.98 hours in [h]:mm: .xls 26:01, .xlsx 26:01, unformatted 1.1243
0.75 hours in h:mm: .xls 0:45, .xlsx 0:45, unformatted 0.0312
30.25 hours in [h] "h" mm "min": .xls 30 h 01 min, .xlsx 30 h 01 min, unformatted 1.2604
25.5 hours in [hh]:mm: .xls [01]:30, .xlsx [01]:30, unformatted 1.0625
1.25 hours in [m]:ss: .xls [15]:00, .xlsx [15]:00, unformatted 0.0521
EXPECTED
