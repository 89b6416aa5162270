#!/usr/bin/env bash
# PHP's PDO hands a float to SQLite as a text: sums and views find no row by it, or every row.
#
# Expected: a number that is bound to a query is a number: sum(price) > 5.5 means what it says.
# Seen: PDO has a type for integers and none for floats, and binds what has no type as text. SQLite
# turns a text into a number where a column with a type stands beside it. Beside a sum, a computed
# column of a view or a member of JSON it does not: there every number is less than any text. So
# "more than 5.5" finds no row and "less than 2.5" finds all, without an error. execute([6]) does
# the same to an integer. Laravel's query builder and Doctrine's DBAL bind through PDO: there
# having("revenue", ">", 5) is right, and 5.5 is not, also with Doctrine's type "float". Write
# CAST(? AS REAL), or use PHP's class SQLite3, which binds floats as numbers.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(
  cd "$folder"
  apt-get download -qq -o APT::Sandbox::User=root php8.2-sqlite3=8.2.36-1~deb12u1 \
    php8.2-{cli,common,mbstring}=8.2.36-1~deb12u1 php-doctrine-dbal=3.6.1+dfsg-1 \
    php-illuminate-{collections,container,contracts,database,macroable,support}=8.83.26+dfsg-2 \
    php-doctrine-cache=2.2.0-1 php-doctrine-deprecations=1.0.0-2+deb12u1 \
    php-doctrine-event-manager=1.2.0-1 php-doctrine-inflector=2.0.6-1 \
    php-nesbot-carbon=2.65.0-1+deb12u1 php-psr-cache=1.0.1-3 php-psr-container=1.1.2-1 \
    php-psr-log=1.1.4-2 php-psr-simple-cache=1.0.1-1 php-voku-portable-ascii=2.0.1-1 \
    php-symfony-{console,string,translation}=5.4.53+dfsg-0+deb12u1 \
    php-symfony-{deprecation,service,translation}-contracts=2.5.5-0+deb12u1 \
    libargon2-1 libicu72 libsodium23 libxml2
  for package in *.deb; do dpkg-deb --extract "$package" root; done
)
cat >"$folder/try.php" <<'PHP'
<?php
require_once "Doctrine/DBAL/autoload.php";
require_once "Illuminate/Database/autoload.php";
use Doctrine\DBAL\DriverManager;
use Illuminate\Database\Capsule\Manager;

$file = $argv[1];
$pdo = new PDO("sqlite:$file");
$pdo->exec("CREATE TABLE purchases
    (id INTEGER PRIMARY KEY, country TEXT, cents INTEGER, data TEXT)");
$pdo->exec("INSERT INTO purchases (country, cents, data) VALUES ('DE', 499, '{\"stars\":4.5}'),
    ('DE', 499, '{\"stars\":2}'), ('ES', 199, '{\"stars\":5}')");
$pdo->exec("CREATE VIEW v_purchases AS SELECT id, country, cents / 100.0 AS price FROM purchases");
$sums = "SELECT country FROM v_purchases GROUP BY 1 HAVING sum(price) > ?";

function show($name, $rows)
{
    echo $name, ": ", json_encode($rows), "\n";
}

function run($statement, $values = null)
{
    $statement->execute($values);
    return $statement->fetchAll(PDO::FETCH_COLUMN);
}

echo "PHP ", PHP_VERSION, "\n";
show("in SQL, sum > 5.5", run($pdo->query(str_replace("?", "5.5", $sums))));
show("execute([5.5])", run($pdo->prepare($sums), [5.5]));
show("execute([6])", run($pdo->prepare($sums), [6]));
show("CAST(? AS REAL)", run($pdo->prepare(str_replace("?", "CAST(? AS REAL)", $sums)), [5.5]));
$cheap = "SELECT id FROM v_purchases WHERE price < ?";
show("price < 2.5 of the view", run($pdo->prepare($cheap), [2.5]));
show("typeof(?)", run($pdo->prepare("SELECT typeof(?)"), [5.5]));

$manager = new Manager();
$manager->addConnection(["driver" => "sqlite", "database" => $file, "prefix" => ""]);
$laravel = $manager->getConnection();
$sales = fn() => $laravel->table("v_purchases")->selectRaw("country, sum(price) AS revenue")
    ->groupBy("country");
show("Laravel, revenue > 5", $sales()->having("revenue", ">", 5)->pluck("country"));
show("Laravel, revenue > 5.5", $sales()->having("revenue", ">", 5.5)->pluck("country"));
$cheap = $laravel->table("v_purchases")->where("price", "<", 2.5);
show("Laravel, price < 2.5", $cheap->pluck("id"));
$stars = fn($least) => $laravel->table("purchases")->where("data->stars", ">=", $least)
    ->pluck("id");
show("Laravel, stars of JSON >= 4", $stars(4));
show("Laravel, stars of JSON >= 4.5", $stars(4.5));

$doctrine = DriverManager::getConnection(["driver" => "pdo_sqlite", "path" => $file]);
show("Doctrine, sum > 5.5", $doctrine->fetchFirstColumn($sums, [5.5]));
show("Doctrine, sum > 5.5 as float", $doctrine->fetchFirstColumn($sums, [5.5], ["float"]));

$plain = (new SQLite3($file))->prepare($sums);
$plain->bindValue(1, 5.5);
show("class SQLite3, sum > 5.5", $plain->execute()->fetchArray(SQLITE3_NUM));
PHP
for name in php8.2-cli php-illuminate-database php-doctrine-dbal; do
  dpkg-deb --field "$folder/$name"_*.deb Package Version | paste -sd ' '
done >"$folder/seen"
extensions=()
for name in mbstring pdo pdo_sqlite sqlite3; do
  extensions+=(-d "extension=$(ls "$folder"/root/usr/lib/php/2*/"$name.so")")
done
LD_LIBRARY_PATH=$(echo "$folder"/root/usr/lib/*-linux-gnu) \
  "$folder/root/usr/bin/php8.2" -n "${extensions[@]}" -d include_path="$folder/root/usr/share/php" \
  -d display_errors=stderr "$folder/try.php" "$folder/purchases.sqlite" >>"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
Package: php8.2-cli Version: 8.2.36-1~deb12u1
Package: php-illuminate-database Version: 8.83.26+dfsg-2
Package: php-doctrine-dbal Version: 3.6.1+dfsg-1
PHP 8.2.36
in SQL, sum > 5.5: ["DE"]
execute([5.5]): []
execute([6]): []
CAST(? AS REAL): ["DE"]
price < 2.5 of the view: [1,2,3]
typeof(?): ["text"]
Laravel, revenue > 5: ["DE"]
Laravel, revenue > 5.5: []
Laravel, price < 2.5: [1,2,3]
Laravel, stars of JSON >= 4: [1,3]
Laravel, stars of JSON >= 4.5: []
Doctrine, sum > 5.5: []
Doctrine, sum > 5.5 as float: []
class SQLite3, sum > 5.5: ["DE"]
EXPECTED
