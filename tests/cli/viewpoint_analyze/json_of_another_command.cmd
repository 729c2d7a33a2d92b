echo '{"schema": "denseval eval v1", "miou": 0.5}' >eval.json
"$DENSEVAL" viewpoint analyze --plots none --results eval.json --out out
