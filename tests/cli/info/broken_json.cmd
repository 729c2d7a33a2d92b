printf '{"schema": "denseval eval v1",' >result.json
"$DENSEVAL" info result.json
