#!/usr/bin/env bash
# VADER takes "I don't like it", with the apostrophe that phones type, for praise; TextBlob any n't.
#
# Expected: a review has the same score whichever apostrophe its author's keyboard types, and "isn't
# good" is as far from praise as "is not good".
# Seen: VADER's list of negations has "don't" with the apostrophe of ASCII and "dont" without one.
# iOS types U+2019 by itself, "smart punctuation", and with it no contraction negates: nine of nine
# bad reviews here score above 0.05, VADER's limit of praise. The ellipsis U+2026 or a long dash
# behind a word hides the word: "Great" with it scores 0. TextBlob gives "isn't good" the 0.7 of
# "good" with either apostrophe, and -0.35 to "is not good". AFINN, which has few negations, finds
# "can't stand" with ASCII's only. Nothing warns. Replace U+2019 before VADER (its issue 66 asks for
# it), and write "not" for n't before TextBlob.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  vaderSentiment==3.3.2 textblob==0.20.1 afinn==0.1
cat >"$folder/try.py" <<'PYTHON'
from importlib.metadata import version

from afinn import Afinn
from textblob import TextBlob
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

for name in ("vaderSentiment", "textblob", "afinn"):
    print(name, version(name))
vader, afinn = SentimentIntensityAnalyzer(), Afinn()
SCORES = {
    "VADER": lambda text: vader.polarity_scores(text)["compound"],
    "TextBlob": lambda text: round(TextBlob(text).sentiment.polarity, 3),
    "AFINN": afinn.score,
}
REVIEWS = (
    "I don't like it",
    "It isn't good",
    "It doesn't work well",
    "I can't recommend this app",
    "It won't help you",
    "It wasn't worth the good money",
    "The new version isn't an improvement",
    "Support didn't care to help",
    "You wouldn't enjoy it",
)
for name, score in SCORES.items():
    typed = [score(review) for review in REVIEWS]
    phone = [score(review.replace("'", "\u2019")) for review in REVIEWS]
    praise = [sum(number > 0.05 for number in numbers) for numbers in (typed, phone)]
    print(f"{name}, {len(REVIEWS)} bad reviews: {praise[0]} above 0.05, {praise[1]} from a phone")
    for text in (*REVIEWS[:2], "It is not good", "I can't stand it"):
        print(f"  {text}: {score(text)}, from a phone {score(text.replace(chr(39), chr(0x2019)))}")
for text in ("Great...", "Great\u2026", "Great - I love it", "Great\u2014I love it"):
    print(ascii(text), "VADER", SCORES["VADER"](text))
PYTHON
"$folder/venv/bin/python" "$folder/try.py" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
vaderSentiment 3.3.2
textblob 0.20.1
afinn 0.1
VADER, 9 bad reviews: 0 above 0.05, 9 from a phone
  I don't like it: -0.2755, from a phone 0.3612
  It isn't good: -0.3412, from a phone 0.4404
  It is not good: -0.3412, from a phone -0.3412
  I can't stand it: 0.0, from a phone 0.0
TextBlob, 9 bad reviews: 4 above 0.05, 4 from a phone
  I don't like it: 0.0, from a phone 0.0
  It isn't good: 0.7, from a phone 0.7
  It is not good: -0.35, from a phone -0.35
  I can't stand it: 0.0, from a phone 0.0
AFINN, 9 bad reviews: 8 above 0.05, 8 from a phone
  I don't like it: 2.0, from a phone 2.0
  It isn't good: 3.0, from a phone 3.0
  It is not good: -2.0, from a phone -2.0
  I can't stand it: -3.0, from a phone 0.0
'Great...' VADER 0.6249
'Great\u2026' VADER 0.0
'Great - I love it' VADER 0.8519
'Great\u2014I love it' VADER 0.6369
EXPECTED
