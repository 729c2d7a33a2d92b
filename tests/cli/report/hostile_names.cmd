# Names come from files of others: none opens an element, closes an attribute or loads anything. The script below sees to it.
# Long ones are cut off; a file's name may be no UTF-8.
mkdir r
cat >r/eval.json <<'END'
{"schema": "denseval eval v1", "command": "<script>alert(1)</script>", "version": "1", "settings": {"a\"><img src=x>": "\u0007\u0085'&amp;"},
 "inputs": [{"path": "</td></table>.h5", "size": 3, "hash": "xxh3-128:00"}], "miou": 0.5,
 "classes": [{"id": 0, "name": "<b>&\"'", "iou": 0.25}, {"id": 1, "name": "\ud83c\udf4b", "iou": null},
 {"id": 2, "name": "\u0645\u0631\u062d\u0628\u0627 \u202eevil", "iou": 0}], "confusion": [[3, 1], [0, 4]], "resources": {"wall_s": 1}}
END
python3 - <<'END'
import json
with open(b"r/caf\xe9.json", "w", encoding="ascii") as f:
    json.dump({"schema": "denseval eval v1", "command": "c" * 300, "classes": [{"name": "long " * 200, "iou": 0.5}],
               "confusion": [[1]], "resources": {"wall_s": 1}}, f)
END
printf '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>' >'r/"><script>.svg'
"$DENSEVAL" report r --out page.html --quiet && python3 "$CLI/report_text.py" page.html | sed 's/\(long \)\{99\}/99 times \1/; s/c\{119\}c*/many c/g'
