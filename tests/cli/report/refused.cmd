# Each ends with its own code and one line, and leaves no page.
try() { "$DENSEVAL" report "$@" >out.txt; echo "$?"; }
mkdir none cut run kind && echo text >none/a.txt
printf '{"schema": "denseval eval v1",\n "miou": }' >cut/eval.json
touch run/run.journal
echo '{"schema": "denseval eval v1", "confusion": [[1, 2], [3, -4]]}' >kind/eval.json
try missing --out p.html
try none/a.txt --out p.html
try none --out p.html
try cut --out p.html
try run --out p.html
try kind --out p.html
try kind
try kind --out kind/p.html
echo old >old.html
echo '{"schema": "denseval eval v1", "miou": 0.5}' >kind/eval.json
try kind --out old.html
ls
"$DENSEVAL" report kind --out old.html --force && grep -c '0.5000' old.html
