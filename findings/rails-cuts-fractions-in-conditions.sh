#!/usr/bin/env bash
# Rails cuts a fraction off before it asks: ratings from 4.5 on include 4, and 4.9 deletes the 4s.
#
# Expected: a condition on an integer column with a number between two integers is as in SQL, finds
# nothing for equality, or is refused.
# Seen: ActiveRecord turns each value of a hash condition into the type of its column first and cuts
# the fraction off. where(rating: 4.5..) is rating >= 4, and where(rating: ...4.5) is rating < 4, so
# the 4s move from the one to the other. where(rating: 3.9) finds the 3s, where.not(rating: 3.9)
# leaves them out, exists?(rating: 4.9) is true, and delete_by(rating: 4.9) deletes the 4s. It is
# the same in having(), with a BigDecimal and with a text. Nothing warns. A condition that is
# written as SQL, where("rating >= ?", 4.5), is right. The manual says that values are cast by to_i,
# not that conditions are, and integer.rb of later versions still does it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(
  cd "$folder"
  apt-get download -qq -o APT::Sandbox::User=root ruby-sqlite3=1.4.2-4+b3 \
    ruby-active{model,record,support}=2:6.1.7.10+dfsg-1~deb12u4 ruby-concurrent=1.1.6+dfsg-5 \
    ruby-i18n=1.10.0-2 ruby-mini-portile2=2.8.1-1 ruby-minitest=5.17.0-1 \
    ruby-rubygems=3.3.15-2+deb12u1 ruby-tzinfo=2.0.5-1 ruby-zeitwerk=2.6.1-1 \
    {lib,}ruby3.1=3.1.7+really3.1.2-0+deb12u1 libgmp10 libsqlite3-0 libyaml-0-2
  for package in *.deb; do dpkg-deb --extract "$package" root; done
)
cat >"$folder/try.rb" <<'RUBY'
require "active_support/all"
require "active_record"

puts "Ruby #{RUBY_VERSION}, ActiveRecord #{ActiveRecord.version}"
ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
ActiveRecord::Base.connection.execute(
  "CREATE TABLE reviews (id INTEGER PRIMARY KEY, rating INTEGER)"
)
class Review < ActiveRecord::Base; end
(1..5).each { |rating| Review.create!(rating: rating) }

def show(name, found)
  found = found.order(:id).pluck(:rating) if found.is_a?(ActiveRecord::Relation)
  puts "#{name}: #{found.inspect}"
end

show "as SQL, at least 4.5", Review.where("rating >= ?", 4.5)
show "4.5..", Review.where(rating: 4.5..)
show "...4.5", Review.where(rating: ...4.5)
show "2.5..3.5", Review.where(rating: 2.5..3.5)
show "BigDecimal 4.5..", Review.where(rating: BigDecimal("4.5")..)
show "\"4.5\"..", Review.where(rating: "4.5"..)
show "3.9", Review.where(rating: 3.9)
show "not 3.9", Review.where.not(rating: 3.9)
show "one of 1.5 and 2.5", Review.where(rating: [1.5, 2.5])
show "exists 4.9", Review.exists?(rating: 4.9)
show "having 4.5..", Review.group(:rating).having(rating: 4.5..).count
show "deleted by 4.9", Review.delete_by(rating: 4.9)
show "left", Review.all
RUBY
root=$folder/root
library=$(echo "$root"/usr/lib/*-linux-gnu)
LD_LIBRARY_PATH=$library RUBYLIB=$(
  paths=("$root/usr/lib/ruby/vendor_ruby" "$root/usr/lib/ruby/3.1.0" "$library/ruby/3.1.0"
    "$library/ruby/vendor_ruby/3.1.0")
  IFS=:
  echo "${paths[*]}"
) GEM_PATH=$root/usr/share/rubygems-integration/all \
  "$root/usr/bin/ruby3.1" "$folder/try.rb" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
Ruby 3.1.2, ActiveRecord 6.1.7.10
as SQL, at least 4.5: [5]
4.5..: [4, 5]
...4.5: [1, 2, 3]
2.5..3.5: [2, 3]
BigDecimal 4.5..: [4, 5]
"4.5"..: [4, 5]
3.9: [3]
not 3.9: [1, 2, 4, 5]
one of 1.5 and 2.5: [1, 2]
exists 4.9: true
having 4.5..: {4=>1, 5=>1}
deleted by 4.9: 1
left: [1, 2, 3, 5]
EXPECTED
