# Lists within lists become tables of their own, named after what they belong to.
mkdir r
cat >r/results.json <<'END'
{"schema": "denseval jf v1", "jf_mean": 0.75, "objects": 2, "per_sequence": {"jf_mean": 0.7, "sequences": 1}, "sequences": [
 {"name": "bear", "size": [4, 6], "objects": [{"id": 1, "jf_mean": 0.5, "j": [0.5, 1]}, {"id": 2, "jf_mean": 1, "j": [1, 1]}]}]}
END
cat >r/dining.json <<'END'
{"schema": "denseval dining v1", "options": [{"option": "A", "n": 4}], "confusion": [[3, 1]], "groups": {"cuisine": {"thai": {"n": 2, "accuracy": 0.5}}}}
END
"$DENSEVAL" report r --out page.html --quiet && python3 "$CLI/report_text.py" page.html | sed -n '/^Results$/,$p'
grep -o '<title>A → [^<]*' page.html
