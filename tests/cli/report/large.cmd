# Many runs of many classes: the page stays small. Their heat maps are fewer, without what is as white as nothing.
mkdir r
python3 - <<'END'
import json
names = [{"id": i, "name": f"class {i}", "iou": 0.5} for i in range(30)]
confusion = [[300 if i == j else 1 if j == 0 else 20 if i == j + 1 else 0 for j in range(30)] for i in range(30)]
confusion[7] = [0] * 30
with open("r/results.json", "w", encoding="ascii") as f:
    json.dump({"schema": "denseval sweep v1", "command": "sweep", "cells": [
        {"encoder": f"e{e}", "memory": 100, "difficulty": "hard", "bin": b, "reference": b == 0, "miou": 0.5, "classes": names,
         "confusion": confusion if b < 30 else None} for e in range(10) for b in range(0, 300, 15)]}, f)
END
"$DENSEVAL" report r --out page.html
python3 "$CLI/report_text.py" page.html | grep -n 'left out\|all cells\|^e[0-9], memory'
[ "$(wc -c <page.html)" -lt 1000000 ] && echo small
grep -c '<title>class 8 → class 7: 20, 6.23 %' page.html
grep -c '<title>class 8 → class 0' page.html
grep -c 'fill="#ddd"' page.html
