# Lines by columns of long texts that differ at their ends, bins out of order, and bins that are none.
mkdir r bad
python3 - <<'END'
import json
def write(folder, **keys):
    with open(f"{folder}/analysis.json", "w", encoding="ascii") as f:
        json.dump({"schema": "denseval analysis v1", "command": "viewpoint analyze", **keys}, f)
def curve(*bins):
    return [{"encoder": "e", "memory": 1, "difficulty": "d", "points": [{"bin": b, "miou": 0.5} for b in bins]}]
long = [{"encoder": "e" * 5000 + str(i), "memory": i, "difficulty": "d" * 5000 + str(i), "miou": 0.25} for i in range(499)]
write("r", experiment_a=long, curves=curve(0, 2147483647, -2147483648, 15))
few = [{"encoder": "a", "memory": 9, "difficulty": "x", "miou": 0.125}, {"encoder": "a", "memory": 9, "difficulty": "x", "miou": 0.5},
       {"encoder": "a", "memory": 9, "memory_kind": "image", "difficulty": "y", "miou": 0.75},
       {"encoder": None, "memory": 9, "difficulty": "y", "miou": 0.375}, {"memory": 9, "difficulty": "x", "miou": 0.625}]
write("bad", experiment_a=few)
END
"$DENSEVAL" report r --out page.html
grep -c '0.2500' page.html
grep -o 'd="M[^"]*"' page.html
grep -ci '[^a-z]\(inf\|nan\)[^a-z]' page.html
"$DENSEVAL" report bad --out few.html
python3 "$CLI/report_text.py" few.html | grep -A7 '^encoder'
for bin in 1e308 -1e308 2147483648 0.5 '"0"' null; do
    echo '{"schema": "denseval analysis v1", "curves": [{"points": [{"bin": 0}, {"bin": '"$bin"'}]}]}' >bad/analysis.json
    "$DENSEVAL" report bad --out none.html
    echo $?
done
ls
