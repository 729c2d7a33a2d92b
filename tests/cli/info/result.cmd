cat >result.json <<'EOF'
{"schema": "denseval eval v1", "command": "eval", "version": "0.1.0", "settings": {"k": 30}, "inputs": [],
 "miou": 0.25, "images": 2, "classes": [{"id": 0}, {"id": 1}], "bins": [{"bin": 0}]}
EOF
"$DENSEVAL" info result.json
